/**
 * Browsers limit how often a page may rewrite its address; while somebody scrubs, the page waits for a pause of this
 * many ms.
 */
const pauseMs = 250;

/** The page's address, which is always a link to what the page shows. */
export class PageAddress {
  readonly #link: () => string | undefined;
  #timer = 0;

  /**
   * @param link the address of the present moment, relative to the page; undefined while there is nothing to link to.
   */
  constructor(link: () => string | undefined) {
    this.#link = link;
  }

  write(): void {
    clearTimeout(this.#timer);
    const link = this.#link();
    if (link !== undefined) history.replaceState(null, '', link);
  }

  /**
   * Another run is another page to go back from; another moment of it is not. It is written before the run is there, so
   * that Back leads to the run before at once.
   */
  turnPage(): void {
    clearTimeout(this.#timer);
    const link = this.#link();
    if (link !== undefined) history.pushState(null, '', link);
  }

  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), pauseMs);
  }
}
