/** The parts of index.html that code speaks to; a missing one is our own mistake, and says so at once. */
export function part<E extends Element = HTMLElement>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new TypeError(`the page: expected an element ${selector}, got none`);
  return element;
}

export type PageCondition = 'running' | 'ready' | 'error';

/** Says what the page is at, in words for people and as an attribute for whoever tests it. */
export function say(condition: PageCondition, words: string): void {
  document.documentElement.dataset.state = condition;
  part('#status').textContent = words;
}
