import { html, render } from 'lit-html';
import { made } from './made.ts';
import { messageOf } from './worker/task.ts';

/** Shows a command so that a flag and its value stay on one line. */
export function showCommand(host: HTMLElement, text: string): void {
  const words = text.split(/ (?=--)/).flatMap((word, place) => {
    const span = made('span', { textContent: word });
    return place === 0 ? [span] : [' ', span];
  });
  host.replaceChildren(...words);
}

/** A button that folds a form out, and in again. */
export function foldOnPress(button: HTMLButtonElement, form: HTMLElement): void {
  button.addEventListener('click', () => {
    button.setAttribute('aria-expanded', String(form.classList.toggle('open')));
  });
}

/** The parts of index.html that code speaks to; a missing one is our own mistake, and says so at once. */
export function part<E extends Element = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new TypeError(`the page: expected an element ${selector}, got none`);
  return element;
}

/**
 * Writes words where others stood, in the same node of text: for a new one the browser works out styles, and whether a
 * rule asks what the page has.
 */
export function write(element: Element, words: string): void {
  const text = element.firstChild;
  if (!(text instanceof Text) || text.nextSibling !== null) element.textContent = words;
  else if (text.data !== words) text.data = words;
}

export type PageCondition = 'running' | 'ready' | 'error';

/** Shows the page's state in words, and sets it as an attribute for tests. */
export function say(condition: PageCondition, words: string): void {
  document.documentElement.dataset.state = condition;
  part('#status').textContent = words;
}

/** Says what went wrong. @param what could not be done, where the error's own words do not say it. */
export function sayError(error: unknown, what?: string): void {
  say('error', what === undefined ? messageOf(error) : `${what}: ${messageOf(error)}`);
}

/** Says what a link asked for and did not get; nothing where it got all. */
export function tellNotices(notices: readonly string[]): void {
  const list = part('#notices');
  list.hidden = notices.length === 0;
  render(
    notices.map((notice) => html`<li>${notice}</li>`),
    list,
  );
}
