interface Kept<L> {
  readonly link: L;
  usedMs: number;
}

/**
 * The links of a member, by the names of the peers. The number of links is limited: a new link replaces the least
 * recently used one, and idle links are removed. The table owns no clock: callers pass the time as an argument.
 */
export class LinkTable<L> {
  readonly #maxLinks: number;
  readonly #idleMs: number;
  /** Links in the order of their last uses, the least recently used first. */
  readonly #links = new Map<string, Kept<L>>();

  /**
   * @param maxLinks maximum number of links, at least 1.
   * @param idleMs time without use after which a link is idle, ms.
   */
  constructor(maxLinks: number, idleMs: number) {
    this.#maxLinks = maxLinks;
    this.#idleMs = idleMs;
  }

  get size(): number {
    return this.#links.size;
  }

  get(name: string): L | undefined {
    return this.#links.get(name)?.link;
  }

  /** Returns the link to a peer, and counts the call as a use. */
  use(name: string, nowMs: number): L | undefined {
    const kept = this.#links.get(name);
    if (kept === undefined) return undefined;
    kept.usedMs = nowMs;
    this.#links.delete(name);
    this.#links.set(name, kept);
    return kept.link;
  }

  /**
   * Stores a link, and replaces any previous link to the same peer. Returns the links of other peers that were evicted.
   */
  keep(name: string, link: L, nowMs: number): L[] {
    this.#links.delete(name);
    this.#links.set(name, { link, usedMs: nowMs });
    const evicted: L[] = [];
    for (const [other, kept] of this.#links) {
      if (this.#links.size <= this.#maxLinks) break;
      this.#links.delete(other);
      evicted.push(kept.link);
    }
    return evicted;
  }

  /** Removes this link. Returns false if the table no longer contains it. */
  forget(name: string, link: L): boolean {
    return this.get(name) === link && this.#links.delete(name);
  }

  /**
   * Removes and returns the links that were idle for the maximum time, except links for which `mayGo` returns false.
   */
  takeIdle(nowMs: number, mayGo: (link: L) => boolean): L[] {
    const idle: L[] = [];
    for (const [name, { link, usedMs }] of this.#links) {
      if (nowMs - usedMs < this.#idleMs) break;
      if (!mayGo(link)) continue;
      this.#links.delete(name);
      idle.push(link);
    }
    return idle;
  }

  takeAll(): L[] {
    const all = [...this.#links.values()].map(({ link }) => link);
    this.#links.clear();
    return all;
  }
}
