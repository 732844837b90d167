/** Delay before the page rewrites its address, ms. Browsers limit the rate of address changes. */
const pauseMs = 250;

/**
 * Returns the address of a link relative to the page.
 *
 * @param link part of the link after `#`; undefined if there is none.
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
    clearTimeout(this.#timer);
    const address = addressOf(this.#link());
    if (address !== undefined) history.replaceState(null, '', address);
  }

  /**
   * Adds a history entry for another run. A change to another moment of the same run adds no entry. The entry is
   * written before the run is loaded, so that the browser's Back button returns to the previous run immediately.
   */
  turnPage(): void {
    clearTimeout(this.#timer);
    const address = addressOf(this.#link());
    if (address !== undefined) history.pushState(null, '', address);
  }

  /** Replaces the address after a delay. A further call restarts the delay. */
  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), pauseMs);
  }
}
