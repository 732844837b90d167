/** Delay before the page rewrites its address, since browsers limit how often it may, ms. */
const pauseMs = 250;

/** The address of what a link shows, relative to the page. @param link its part after `#`; undefined for none. */
export function addressOf(link: string | undefined): string | undefined {
  return link === '' ? `${location.pathname}${location.search}` : link && `#${link}`;
}

/** The page's address, which is always a link to what the page shows. */
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
   * Another run is another page to go back from; another moment of it is not. It is written before the run is there, so
   * that Back leads to the run before at once.
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
