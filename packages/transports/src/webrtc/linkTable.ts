/**
 * What the two ends of a link tell each other before it is open: an offer and its answer, each whole, with all
 * addresses and the fingerprint of the certificate that the link's encryption will be checked against.
 */
export interface LinkSignal {
  readonly type: 'offer' | 'answer';
  /** Chosen by who offers, so that an answer finds its offer: an integer under 2^32. */
  readonly attempt: number;
  /** Session description (RFC 8866). */
  readonly sdp: string;
}

/** Session descriptions of one data channel are 1 to 3 kB; many network cards make them longer. */
export const maxSdpCharacters = 8_000;

const tcpCandidate = /^a=candidate:\S+ \d+ tcp .*\r?\n/gim;

/**
 * A description without the addresses at which its end would take TCP: they carry the packets one after another, which
 * is what Handel does without; and libwebrtc lists them anew for each connection of a process, until the description is
 * too long.
 */
export function withoutTcp(sdp: string): string {
  return sdp.replaceAll(tcpCandidate, '');
}

export function encodeLinkSignal({ type, attempt, sdp }: LinkSignal): string {
  return JSON.stringify({ type, attempt, sdp });
}

/** Reads a signal; undefined for anything else. Never throws. */
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
 * Which links to which peers a member keeps, by the peer's name: at most this many, of which the least recently used
 * makes room, and none that was idle for long. It owns no clock: the time is an argument.
 */
export class LinkTable<L> {
  readonly #maxLinks: number;
  readonly #idleMs: number;
  /** In the order of their last use. */
  readonly #links = new Map<string, Kept<L>>();

  /** @param maxLinks at least 1. */
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

  /** The link to a peer, which this counts as a use of. */
  use(name: string, nowMs: number): L | undefined {
    const kept = this.#links.get(name);
    if (kept === undefined) return undefined;
    kept.usedMs = nowMs;
    this.#links.delete(name);
    this.#links.set(name, kept);
    return kept.link;
  }

  /** Keeps a link in the place of any other to that peer. Returns the links of other peers that had to make room. */
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

  /** Forgets this very link; one that has taken its place stays. */
  forget(name: string, link: L): void {
    if (this.get(name) === link) this.#links.delete(name);
  }

  /** Takes out the links that nobody used for the idle time, but those that may not go yet. */
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
