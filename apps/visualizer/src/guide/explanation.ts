import { html, render, type TemplateResult } from 'lit-html';
import { pieces } from './richText.ts';
import { type Term, terms } from './terms.ts';

/** A sentence whose marked words explain themselves when pressed. */
export function sentence(text: string): readonly (string | TemplateResult)[] {
  return pieces(text).map(({ text: words, term }) =>
    term === undefined
      ? words
      : html`<button type="button" class="term" @click=${(event: Event) => explain(event.currentTarget as HTMLElement, term)}>${words}</button>`,
  );
}

function explain(beside: HTMLElement, term: Term): void {
  const panel = document.querySelector<HTMLElement>('#explanation')!;
  const { text, section } = terms[term];
  render(html`<strong>${term}</strong><p>${text}</p><p class="section">${section}</p>`, panel);
  panel.showPopover();
  const box = beside.getBoundingClientRect();
  const room = document.documentElement.clientWidth;
  const left = Math.min(Math.max(12, box.left - 16), room - panel.offsetWidth - 12);
  const below = box.bottom + 10;
  const fits = below + panel.offsetHeight < globalThis.innerHeight - 12;
  panel.style.left = `${left}px`;
  panel.style.top = `${fits ? below : Math.max(12, box.top - panel.offsetHeight - 10)}px`;
}
