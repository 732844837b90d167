import { html, nothing, render } from 'lit-html';

/** Conclusion of a chapter: a sentence made from facts of its run, with these facts. */
export interface Conclusion {
  readonly said: string;
  /** Facts, each with its measure and its number. */
  readonly facts: readonly string[];
}

/** Shows a conclusion and, below it, its facts, which the reader can unfold. */
export function showConclusion(host: HTMLElement, { said, facts }: Conclusion): void {
  if (host.textContent !== said) host.textContent = said;
  const after = host.nextElementSibling;
  const list = after?.matches('.facts') ? (after as HTMLElement) : document.createElement('div');
  if (list !== after) {
    list.className = 'facts';
    host.after(list);
  }
  render(
    said === '' || facts.length === 0
      ? nothing
      : html`<details><summary>The facts of this run</summary><ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul></details>`,
    list,
  );
}
