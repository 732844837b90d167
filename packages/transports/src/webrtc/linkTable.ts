/**
 * Messages that the two ends of a link exchange before the link is open: an offer and an answer. Each message is
 * complete: it contains all addresses, and the fingerprint of the certificate with which the link's encryption is
 * checked.
 */
export interface LinkSignal {
  readonly type: 'offer' | 'answer';
  /** Number chosen by the offering end to match an answer with its offer: an integer less than 2^32. */
  readonly attempt: number;
  /** Session description (RFC 8866). */
  readonly sdp: string;
}

/**
 * Maximum length of a session description, characters. The description for one data channel has 1 to 3 kB, or more with
 * many network interfaces.
 */
export const maxSdpCharacters = 8_000;

const tcpCandidate = /^a=candidate:\S+ \d+ tcp .*\r?\n/gim;

/**
 * Returns a session description without TCP addresses. TCP would deliver packets in order, which Handel does not need.
 * In addition, libwebrtc repeats these addresses for each connection of a process, until the description is too long.
 */
export function withoutTcp(sdp: string): string {
  return sdp.replaceAll(tcpCandidate, '');
}

export function encodeLinkSignal({ type, attempt, sdp }: LinkSignal): string {
  return JSON.stringify({ type, attempt, sdp });
}

/** Decodes a signal, or returns undefined for any other text. The function never throws. */
export function decodeLinkSignal(text: string): LinkSignal | undefined {
  if (text.length > 2 * maxSdpCharacters) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, attempt, sdp } = value as Record<string, unknown>;
  if (type !== 'offer' && type !== 'answer') return undefined;
  if (typeof attempt !== 'number' || !Number.isInteger(attempt) || attempt < 0 || attempt >= 2 ** 32) return undefined;
  if (typeof sdp !== 'string' || sdp.length === 0 || sdp.length > maxSdpCharacters) return undefined;
  return { type, attempt, sdp };
}

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

  /** @param maxLinks maximum number of links, at least 1. */
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

  /** Removes this link, unless it has already been replaced with another link. */
  forget(name: string, link: L): void {
    if (this.get(name) === link) this.#links.delete(name);
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
