import { html, nothing, render } from 'lit-html';
import { createElement } from './html.ts';
import { messageOf } from './worker/task.ts';

/** Shows a command, with a `span` around each flag and its value, which the style sheet keeps on one line. */
export function showCommand(host: HTMLElement, text: string): void {
  const words = text.split(/ (?=--)/).flatMap((word, place) => {
    const span = createElement('span', { textContent: word });
    return place === 0 ? [span] : [' ', span];
  });
  host.replaceChildren(...words);
}

/** Makes a button expand and collapse a form. */
export function foldOnPress(button: HTMLButtonElement, form: HTMLElement): void {
  button.addEventListener('click', () => {
    button.setAttribute('aria-expanded', String(form.classList.toggle('open')));
  });
}

/** Returns the first element of the page that matches a selector. @throws TypeError if there is none. */
export function query<E extends Element = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new TypeError(`the page: expected an element ${selector}, got none`);
  return element;
}

/**
 * Replaces the text of an element within the existing text node, because a new node would make the browser recompute
 * styles.
 */
export function write(element: Element, words: string): void {
  const text = element.firstChild;
  if (!(text instanceof Text) || text.nextSibling !== null) element.textContent = words;
  else if (text.data !== words) text.data = words;
}

type PageCondition = 'running' | 'ready' | 'error';

/** Shows the condition of the page as text, and sets it as an attribute for style sheets and tests. */
export function say(condition: PageCondition, words: string): void {
  document.documentElement.dataset.state = condition;
  query('#status').textContent = words;
}

/** Shows an error. @param what task that failed, if the error's message does not name it. */
export function sayError(error: unknown, what?: string): void {
  say('error', what === undefined ? messageOf(error) : `${what}: ${messageOf(error)}`);
}

/** Shows notices about the rejected parts of a link, or hides the list if there are none. */
export function showNotices(notices: readonly string[]): void {
  const list = query('#notices');
  list.hidden = notices.length === 0;
  render(
    notices.map((notice) => html`<li>${notice}</li>`),
    list,
  );
}

/** Conclusion of a chapter: a sentence derived from facts about the chapter's run, with these facts. */
export interface Conclusion {
  readonly said: string;
  /** Facts, each with its measure and its value. */
  readonly facts: readonly string[];
}

/** Shows a conclusion and, below it, its facts, which the reader can expand. */
export function showConclusion(host: HTMLElement, { said, facts }: Conclusion): void {
  if (host.textContent !== said) host.textContent = said;
  const after = host.nextElementSibling;
  const list = after?.matches('.facts') ? (after as HTMLElement) : createElement('div', { className: 'facts' });
  if (list !== after) host.after(list);
  render(
    said === '' || facts.length === 0
      ? nothing
      : html`<details><summary>The facts of this run</summary><ul>${facts.map((fact) => html`<li>${fact}</li>`)}</ul></details>`,
    list,
  );
}

/** Tracks which parts of the page are visible, or nearly visible. Other parts are not drawn. */
export class InSight {
  readonly #seen = new WeakSet<Element>();
  readonly #observer: IntersectionObserver;

  /** @param appeared called when a part becomes visible. */
  constructor(appeared: () => void) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) this.#seen.add(target);
          else this.#seen.delete(target);
        }
        if (entries.some(({ isIntersecting }) => isIntersecting)) appeared();
      },
      { rootMargin: '40px' },
    );
  }

  /** Starts to track parts of the page. */
  watch(...parts: readonly Element[]): void {
    for (const one of parts) this.#observer.observe(one);
  }

  /** Returns whether a tracked part is within 40 CSS pixels of the visible area. */
  has(one: Element): boolean {
    return this.#seen.has(one);
  }
}

/**
 * Returns a function that returns a colour of the page's current theme by the name of its CSS variable, without `--`.
 */
export function themeColours(): (name: string) => string {
  const style = getComputedStyle(document.documentElement);
  return (name) => style.getPropertyValue(`--${name}`).trim();
}
