import { LastOf } from '../lastOf.ts';
import { messageHash } from './certificate.ts';
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

/** The last certificates, the oldest first; each is found by its message, and by the name and the number of its round. */
export class KeptCertificates {
  readonly #byRound: LastOf<Certified>;
  /** Names of rounds, by their numbers, of those that this member was in. */
  readonly #byNumber: LastOf<string>;
  /** Names of rounds of named heights, by the hashes of their messages. */
  readonly #ofHeights: LastOf<string>;

  /** @param most certificates. @param former ones of a time before this one. */
  constructor(most: number, former: Iterable<Certified>) {
    this.#byRound = new LastOf(most);
    this.#byNumber = new LastOf(most);
    this.#ofHeights = new LastOf(most);
    for (const one of former) this.#store(one);
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

  ofNumber(number: number): Certified | undefined {
    return this.get(this.#byNumber.get(`${number}`) ?? '');
  }

  keep(certified: Certified): void {
    const { bytes, height } = certified;
    this.#byNumber.keep(`${roundNumber(messageHash(bytes), height)}`, this.#store(certified));
  }

  #store(certified: Certified): string {
    const { name, height } = certified;
    const round = roundName(name, height);
    this.#byRound.keep(round, certified);
    if (height !== undefined) this.#ofHeights.keep(name, round);
    return round;
  }
}
