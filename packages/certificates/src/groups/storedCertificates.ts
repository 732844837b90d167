import { toHex } from '@tutti/core/input';
import { type Group, LastOf, type RoundSignature } from '@tutti/transports';
import { isHeight } from '../log/signedLog.ts';
import {
  type CertificateKernel,
  type CertificateRegistry,
  decodeCertificate,
  encodeCertificate,
  membersOf,
  messageHash,
  verifyCertificate,
} from '../verification/certificate.ts';
import { roundName, roundNumber } from './ask.ts';
import type { SigningEntry } from './signingQueue.ts';

/** An encoded certificate, with its message and height. */
export interface Certified {
  /** SHA-256 of the message, hexadecimal. */
  readonly name: string;
  /** The message's bytes. */
  readonly bytes: Uint8Array;
  /** The certificate, encoded by `encodeCertificate`. */
  readonly certificate: Uint8Array;
  /** Number of signers. */
  readonly signers: number;
  /**
   * Height that the request named; undefined if it named none. Honest signers have recorded this height, or have signed
   * the same message for another height.
   */
  readonly height?: bigint | undefined;
}

/** Minimum time between two transmissions of the same certificate to the same member, ms. */
const givenAgainMs = 1000;

/**
 * The latest certificates, oldest first, with the times at which they were sent to members. A certificate can be found
 * by its message, and by the name or the number of its round.
 */
export class StoredCertificates {
  readonly #byRound: LastOf<Certified>;
  /** Names of rounds by round number. */
  readonly #byNumber: LastOf<string>;
  /** Names of rounds with a height, by the hash of the message. */
  readonly #ofHeights: LastOf<string>;
  /** Times at which the certificate of each round was sent, by member, ms. */
  readonly #givenMs: LastOf<Map<number, number>>;

  /** @param max maximum number of certificates. @param former certificates of an earlier session. */
  constructor(max: number, former: Iterable<Certified>) {
    this.#byRound = new LastOf(max);
    this.#byNumber = new LastOf(max);
    this.#ofHeights = new LastOf(max);
    this.#givenMs = new LastOf(max);
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

  /** Returns the certificate of a message, of any height. @param message SHA-256 of the message, hexadecimal. */
  ofMessage(message: string): Certified | undefined {
    return this.get(message) ?? this.get(this.#ofHeights.get(message) ?? message);
  }

  /** Returns the name of the round with this number; undefined if no certificate of the round is stored. */
  nameOf(number: number): string | undefined {
    return this.#byNumber.get(`${number}`);
  }

  /**
   * Returns the certificate of a round and marks it as sent to a member; undefined if the member was sent it recently.
   */
  due(round: string, member: number): Certified | undefined {
    const givenMs = this.#givenMs.get(round);
    const nowMs = performance.now();
    if (nowMs - (givenMs?.get(member) ?? Number.NEGATIVE_INFINITY) < givenAgainMs) return undefined;
    givenMs?.set(member, nowMs);
    return this.get(round);
  }

  keep(certified: Certified): void {
    const { name, bytes, height } = certified;
    const round = roundName(name, height);
    this.#byRound.keep(round, certified);
    this.#givenMs.keep(round, this.#givenMs.get(round) ?? new Map());
    this.#byNumber.keep(`${roundNumber(messageHash(bytes), height)}`, round);
    if (height !== undefined) this.#ofHeights.keep(name, round);
  }
}

/** Calls of `certify` that wait for their certificate, by the name of the round. */
export class PendingCertificates {
  readonly #calls = new Map<
    string,
    { readonly resolve: (certified: Certified) => void; readonly reject: (error: Error) => void }[]
  >();

  /** Returns a promise that resolves to the certificate. */
  wait(round: string): Promise<Certified> {
    return new Promise((resolve, reject) => {
      this.#calls.set(round, [...(this.#calls.get(round) ?? []), { resolve, reject }]);
    });
  }

  resolve(round: string, certified: Certified): void {
    for (const { resolve } of this.#calls.get(round) ?? []) resolve(certified);
    this.#calls.delete(round);
  }

  reject(round: string, error: Error): void {
    for (const { reject } of this.#calls.get(round) ?? []) reject(error);
    this.#calls.delete(round);
  }

  rejectAll(error: Error): void {
    for (const round of [...this.#calls.keys()]) this.reject(round, error);
  }
}

/** Returns the certificate that results from a round's output. */
export function certifiedOf(
  { digest, size }: Group,
  { epoch = 0n }: CertificateRegistry,
  { bytes, height }: Pick<SigningEntry, 'bytes' | 'height'>,
  { bits, signature, weight }: RoundSignature,
): Certified {
  const message = messageHash(bytes);
  const certificate = encodeCertificate({ registry: digest, epoch, message, size, bits, signature });
  return { name: toHex(message), bytes, certificate, signers: weight, height };
}

/** Yields the valid certificates among those of an earlier session. */
export function* stillValid(
  stored: Iterable<Pick<Certified, 'bytes' | 'certificate' | 'height'>>,
  registry: CertificateRegistry,
  kernel: CertificateKernel,
): Iterable<Certified> {
  for (const { bytes, certificate, height } of stored) {
    if (height !== undefined && !(typeof height === 'bigint' && isHeight(height))) continue;
    const verdict = verifyCertificate({ registry, bytes, certificate, kernel });
    if (verdict.ok) yield { name: toHex(messageHash(bytes)), bytes, certificate, signers: verdict.signers, height };
  }
}

/** Record of a group member's activity, as observed by another member. */
export interface MemberRecord {
  readonly index: number;
  readonly weight: bigint;
  /** Number of stored certificates that the member signed. */
  readonly signed: number;
  readonly certificates: number;
  /** Number of the most recent consecutive certificates that the member did not sign. */
  readonly missedLast: number;
  /** Number of the member's invalid contributions. */
  readonly invalid: number;
}

/** Returns the record of each member. @param stored certificates, oldest first. */
export function memberRecords(
  entries: readonly { readonly weight?: bigint }[],
  stored: Iterable<{ readonly certificate: Uint8Array }>,
  invalid: ReadonlyMap<number, number>,
): MemberRecord[] {
  const signed = new Int32Array(entries.length);
  const missedLast = new Int32Array(entries.length);
  let certificates = 0;
  for (const { certificate } of stored) {
    const signers = new Set(membersOf(decodeCertificate(certificate)!.bits));
    certificates++;
    for (let index = 0; index < entries.length; index++) {
      if (signers.has(index)) signed[index]!++;
      missedLast[index] = signers.has(index) ? 0 : missedLast[index]! + 1;
    }
  }
  return entries.map(({ weight = 1n }, index) => ({
    index,
    weight,
    signed: signed[index]!,
    certificates,
    missedLast: missedLast[index]!,
    invalid: invalid.get(index) ?? 0,
  }));
}
