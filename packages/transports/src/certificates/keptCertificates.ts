import { fromHex } from '../hex.ts';
import { LastOf } from '../lastOf.ts';

/** A certificate as a group gives it: encoded, with what it is of. */
export interface Certified {
  /** SHA-256 of the message, hexadecimal. */
  readonly name: string;
  /** The message. */
  readonly bytes: Uint8Array;
  /** As `encodeCertificate` wrote it. */
  readonly certificate: Uint8Array;
  readonly signers: number;
}

/** One member is given one certificate at most so often, ms. */
const givenAgainMs = 1000;
const hashBytes = 32;

/** The last certificates of a group, the oldest first, and to whom each was given when. */
export class KeptCertificates {
  readonly #kept: LastOf<Certified>;
  /** Names of the messages, by the numbers of their rounds. */
  readonly #names: LastOf<string>;
  readonly #givenMs: LastOf<number>;

  /** @param most number of certificates that are kept. */
  constructor(most: number) {
    this.#kept = new LastOf(most);
    this.#names = new LastOf(most);
    this.#givenMs = new LastOf(most);
  }

  get size(): number {
    return this.#kept.size;
  }

  has(name: string): boolean {
    return this.#kept.has(name);
  }

  get(name: string): Certified | undefined {
    return this.#kept.get(name);
  }

  values(): IterableIterator<Certified> {
    return this.#kept.values();
  }

  keep(certified: Certified): void {
    const { name } = certified;
    this.#kept.keep(name, certified);
    this.#names.keep(`${numberOf(fromHex(name, hashBytes)!)}`, name);
  }

  /** The name of a message of which the certificate was kept, by the number of its round. */
  nameOf(number: number): string | undefined {
    return this.#names.get(`${number}`);
  }

  /** The certificate of a message, to be given to a member that has not been given it just now. */
  due(name: string, member: number): Certified | undefined {
    const kept = this.#kept.get(name);
    const what = `${name} ${member}`;
    const nowMs = performance.now();
    if (kept === undefined || nowMs - (this.#givenMs.get(what) ?? Number.NEGATIVE_INFINITY) < givenAgainMs)
      return undefined;
    this.#givenMs.keep(what, nowMs);
    return kept;
  }
}

/** A round's number: 53 bits of its message's hash. Two messages with one number are signed one after the other. */
export function numberOf(message: Uint8Array): number {
  const high = ((message[0]! & 0x1f) << 16) | (message[1]! << 8) | message[2]!;
  return high * 2 ** 32 + new DataView(message.buffer, message.byteOffset).getUint32(3);
}
