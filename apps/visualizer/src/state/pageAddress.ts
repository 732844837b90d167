/**
 * Browsers limit how often a page may rewrite its address; while somebody scrubs, the page waits for a pause of this
 * many ms.
 */
const pauseMs = 250;

/** The page's address, which is always a link to what the page shows. */
export class PageAddress {
  readonly #link: () => string | undefined;
  #timer = 0;
  #isOther = false;

  /**
   * @param link the address of the present moment, relative to the page; undefined while there is nothing to link to.
   */
  constructor(link: () => string | undefined) {
    this.#link = link;
  }

  write(): void {
    clearTimeout(this.#timer);
    this.#timer = 0;
    const link = this.#link();
    if (link === undefined) return;
    // Another run is another page to go back from; another moment of it is not.
    if (this.#isOther) history.pushState(null, '', link);
    else history.replaceState(null, '', link);
    this.#isOther = false;
  }

  /** The next address that is written is one of another run. */
  turnPage(): void {
    // The moment at which this one is left is what Back leads to, though the pause is not over.
    if (this.#timer !== 0) this.write();
    this.#isOther = true;
  }

  writeSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), pauseMs);
  }
}
