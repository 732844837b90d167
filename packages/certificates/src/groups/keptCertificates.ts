import { LastOf } from '@tutti/transports/parts';
import { messageHash } from '../verification/certificate.ts';
import { roundName, roundNumber } from './namedHeight.ts';

/** A certificate as a group gives it: encoded, with what it is of. */
export interface Certified {
  /** SHA-256 of the message, hexadecimal. */
  readonly name: string;
  /** The message. */
  readonly bytes: Uint8Array;
  /** As `encodeCertificate` wrote it. */
  readonly certificate: Uint8Array;
  readonly signers: number;
  /** Height that was named when it was asked for; its signers have it on record. */
  readonly height?: bigint | undefined;
}

/** One member is given one certificate at most so often, ms. */
const givenAgainMs = 1000;

/**
 * The last certificates, the oldest first, and to whom each was given when. Each is found by its message, and by the
 * name and the number of its round.
 */
export class KeptCertificates {
  readonly #byRound: LastOf<Certified>;
  /** Names of rounds, by their numbers. */
  readonly #byNumber: LastOf<string>;
  /** Names of rounds of named heights, by the hashes of their messages. */
  readonly #ofHeights: LastOf<string>;
  readonly #givenMs: LastOf<number>;

  /** @param most certificates. @param former ones of a time before this one. */
  constructor(most: number, former: Iterable<Certified>) {
    this.#byRound = new LastOf(most);
    this.#byNumber = new LastOf(most);
    this.#ofHeights = new LastOf(most);
    this.#givenMs = new LastOf(most);
    for (const one of former) this.keep(one);
  }

  get size(): number {
    return this.#byRound.size;
  }

  values(): Iterable<Certified> {
    return this.#byRound.values();
  }

  has(round: string): boolean {
    return this.#byRound.has(round);
  }

  get(round: string): Certified | undefined {
    return this.#byRound.get(round);
  }

  /** The one of a message, whatever height was named for it. @param message its SHA-256 in hexadecimal digits. */
  ofMessage(message: string): Certified | undefined {
    return this.get(message) ?? this.get(this.#ofHeights.get(message) ?? message);
  }

  /** Name of the round of which the certificate was kept, by the round's number. */
  nameOf(number: number): string | undefined {
    return this.#byNumber.get(`${number}`);
  }

  /** The certificate of a round, to be given to a member that has not been given it just now. */
  due(round: string, member: number): Certified | undefined {
    const kept = this.#byRound.get(round);
    const what = `${round} ${member}`;
    const nowMs = performance.now();
    if (kept === undefined || nowMs - (this.#givenMs.get(what) ?? Number.NEGATIVE_INFINITY) < givenAgainMs)
      return undefined;
    this.#givenMs.keep(what, nowMs);
    return kept;
  }

  keep(certified: Certified): void {
    const { name, bytes, height } = certified;
    const round = roundName(name, height);
    this.#byRound.keep(round, certified);
    this.#byNumber.keep(`${roundNumber(messageHash(bytes), height)}`, round);
    if (height !== undefined) this.#ofHeights.keep(name, round);
  }
}
