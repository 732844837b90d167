/** Delay before the page rewrites its address, ms. Browsers limit the rate of such changes. */
const pauseMs = 250;

/** Address of a link relative to the page. @param link its part after `#`; undefined for none. */
export function addressOf(link: string | undefined): string | undefined {
  return link === '' ? `${location.pathname}${location.search}` : link && `#${link}`;
}

/** Address of the page, which is always a link to the shown state. */
export class PageAddress {
  readonly #link: () => string | undefined;
  #timer = 0;

  /**
   * Creates the writer.
   *
   * @param link returns the link to the present moment, as `addressOf` takes it.
   */
  constructor(link: () => string | undefined) {
    this.#link = link;
  }

  write(): void {
    clearTimeout(this.#timer);
    const address = addressOf(this.#link());
    if (address !== undefined) history.replaceState(null, '', address);
  }

  /**
   * Adds a history entry for another run; another moment of the same run gets none. It is written before the run is
   * loaded, so that Back returns to the previous run at once.
   */
  turnPage(): void {
    clearTimeout(this.#timer);
    const address = addressOf(this.#link());
    if (address !== undefined) history.pushState(null, '', address);
  }

  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), pauseMs);
  }
}
