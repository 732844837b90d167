/** Delay before the page rewrites its address, ms. Browsers limit the rate of address changes. */
const pauseMs = 250;

/**
 * Returns the address of a link relative to the page, or undefined for no link.
 *
 * @param link part of the link after `#`; empty for the page without a fragment.
 */
export function addressOf(link: string | undefined): string | undefined {
  return link === '' ? `${location.pathname}${location.search}` : link && `#${link}`;
}

/** Address of the page, which is always a link to the shown state. */
export class PageAddress {
  readonly #link: () => string | undefined;
  #timer = 0;

  /**
   * Creates the address, which is written on demand.
   *
   * @param link returns the link to the current moment, in the form that `addressOf` takes.
   */
  constructor(link: () => string | undefined) {
    this.#link = link;
  }

  /** Replaces the address in the current history entry. */
  write(): void {
    this.#record('replaceState');
  }

  /**
   * Adds a history entry for another run. Pages add the entry before the run is loaded, so that the browser's Back
   * button returns to the previous run immediately.
   */
  addEntry(): void {
    this.#record('pushState');
  }

  /** Replaces the address after a delay. A further call restarts the delay. */
  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), pauseMs);
  }

  #record(method: 'replaceState' | 'pushState'): void {
    clearTimeout(this.#timer);
    const address = addressOf(this.#link());
    if (address !== undefined) history[method](null, '', address);
  }
}
