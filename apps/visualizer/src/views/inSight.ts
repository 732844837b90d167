/** Which parts of the page are in the reader's window, or nearly: other parts are not drawn. */
export class InSight {
  readonly #seen = new WeakSet<Element>();
  readonly #observer: IntersectionObserver;

  /** @param appeared hears that a part came into sight. */
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

  watch(...parts: readonly Element[]): void {
    for (const one of parts) this.#observer.observe(one);
  }

  has(one: Element): boolean {
    return this.#seen.has(one);
  }
}
