import {
  IndependentPriorities,
  ShiftedPriorities,
  type Stakes,
  shuffleBy,
  Tree,
  type VerificationPriorities,
  WeightedPriorities,
} from '@tutti/core';
import {
  concat,
  readUint,
  requireArray,
  requireBytes,
  requireBytesIn,
  requireInteger,
  toHex,
  writeUint,
} from '@tutti/core/input';
import { type CryptoSuite, requireSuite } from '../crypto/suite.ts';

/** Length of a round's seed and of the opening of a commitment, bytes. */
export const seedBytes = 32;

const text = new TextEncoder();
const seedLabel = text.encode('tutti round seed v2');
const placementLabel = text.encode('tutti placement v1');
const prioritiesLabel = text.encode('tutti priorities v1');
const commitmentLabel = text.encode('tutti beacon commitment v1');
const membersLabel = text.encode('tutti beacon of members v1');
const blockWords = 8;

/**
 * Kinds of rows of the verification priorities: independent for each receiver, as in v1.03 section 3.3, or shifts of
 * one common row.
 */
export const priorityRows = ['independent', 'shifted'] as const;
/** One of {@link priorityRows}. */
export type PriorityRows = (typeof priorityRows)[number];

/**
 * Returns the seed of a round's shuffle and priorities, 32 bytes: SHA-256 over the registry, the round and a beacon.
 *
 * @param digest digest of the registry, 32 bytes, from `registryDigest`.
 * @param round number of the round, an integer from 0 to 2^53 - 1.
 * @param beacon bytes that all nodes of the round have and that no one could predict, from an earlier round's
 * multi-signature (see {@link beaconOf}), from the members' commitments (see {@link beaconOfMembers}), or from a public
 * source. Without a beacon, anyone can compute the seeds of all future rounds. A member that chooses its keys last can
 * then try many keys until it obtains favourable positions (v1.0 section 4.3).
 * @throws RangeError for a digest of another length or a round out of range; TypeError for other values than bytes.
 */
export function roundSeed(
  crypto: CryptoSuite,
  digest: Uint8Array,
  round: number,
  beacon: Uint8Array = new Uint8Array(0),
): Uint8Array {
  requireSuite(crypto);
  require32Bytes('digest', digest);
  requireInteger('round', round, 0, Number.MAX_SAFE_INTEGER);
  requireBytes('beacon', beacon);
  const number = new Uint8Array(8);
  writeUint(number, 0, 8, round);
  return crypto.sha256([seedLabel, digest, number, beacon]);
}

/**
 * Returns beacon bytes for the next round's seed, if all nodes agree on this round's result: the signers, and the
 * multi-signature that they determine. Each signature is unique, so no member can choose among several.
 * docs/concepts/shuffle-and-beacons.md describes the influence of members that decide which signers are included.
 *
 * @param output output of this round: bit b & 7 of byte b >> 3 of `bits` stands for registry entry b; `signature` is
 * the compressed multi-signature.
 */
export function beaconOf(output: { readonly bits: Uint8Array; readonly signature: Uint8Array }): Uint8Array {
  requireBytesIn('output', output, ['bits', 'signature']);
  return concat(output.bits, output.signature);
}

/**
 * Returns a member's commitment to a random value. The member publishes this commitment with its keys, before it knows
 * any other member's value.
 *
 * @param publicKey compressed public key of the member. @param opening 32 random bytes, secret until all commitments
 * are published.
 * @returns commitment, 32 bytes.
 * @throws RangeError for an opening of another length, which could not be opened; TypeError for other values than
 * bytes.
 */
export function beaconCommitment(crypto: CryptoSuite, publicKey: Uint8Array, opening: Uint8Array): Uint8Array {
  requireSuite(crypto);
  requireBytes('publicKey', publicKey);
  require32Bytes('opening', opening);
  return crypto.sha256([commitmentLabel, publicKey, opening]);
}

/**
 * Returns a registry's first beacon, derived from all of its members. No one can predict the beacon if at least one
 * member keeps its opening secret until the registry and all commitments are fixed. A member that refuses to open its
 * commitment can only prevent the beacon's computation.
 *
 * @param members members in the registry's order: compressed public key, commitment (32 bytes) and opening (32 bytes).
 * @returns beacon, 32 bytes, or the index of the first member whose opening does not match its commitment.
 */
export function beaconOfMembers(
  crypto: CryptoSuite,
  members: readonly {
    readonly publicKey: Uint8Array;
    readonly commitment: Uint8Array;
    readonly opening: Uint8Array;
  }[],
): { readonly ok: true; readonly beacon: Uint8Array } | { readonly ok: false; readonly member: number } {
  requireSuite(crypto);
  requireArray('members', members);
  for (const [member, one] of members.entries()) {
    requireBytesIn(`members[${member}]`, one, ['publicKey', 'commitment', 'opening']);
    const { publicKey, commitment, opening } = one;
    const holds =
      opening.length === seedBytes && toHex(beaconCommitment(crypto, publicKey, opening)) === toHex(commitment);
    if (!holds) return { ok: false, member };
  }
  const parts = members.flatMap(({ publicKey, opening }) => [publicKey, opening]);
  return { ok: true, beacon: crypto.sha256([membersLabel, ...parts]) };
}

/**
 * Returns the registry index at each position of a round: a permutation, drawn with all 256 bits of the seed.
 *
 * @param size size of the registry, up to 2^20. @param seed 32 bytes, from {@link roundSeed}.
 * @throws RangeError for an invalid size or seed.
 */
export function placementOf(crypto: CryptoSuite, size: number, seed: Uint8Array): Int32Array {
  requireSuite(crypto);
  require32Bytes('seed', seed);
  const next = words(crypto, seed, placementLabel);
  return shuffleBy(size, (bound) => {
    // Numbers from the last, incomplete range are rejected, because they would make some results more likely.
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let word = next();
    while (word >= limit) word = next();
    return word % bound;
  });
}

/**
 * Returns the verification priorities of a round. Shifted rows use 32 bits of the seed; all other rows use 256 bits. If
 * the members' weights differ, priorities are drawn by weight, regardless of `rows`.
 */
export function prioritiesOf(
  crypto: CryptoSuite,
  size: number,
  seed: Uint8Array,
  rows: PriorityRows,
  stakes?: Stakes,
): VerificationPriorities {
  const next = words(crypto, seed, prioritiesLabel);
  if (stakes?.areEqual === false)
    return new WeightedPriorities(new Tree(size), stakes, Int32Array.from({ length: blockWords }, next));
  if (rows === 'shifted') return new ShiftedPriorities(size, next());
  return new IndependentPriorities(size, Int32Array.from({ length: blockWords }, next));
}

/** Checks a value of 32 bytes. @throws TypeError for a value that is not bytes; RangeError for another length. */
export function require32Bytes(label: string, value: Uint8Array): void {
  requireBytes(label, value);
  if (value.length !== seedBytes) throw new RangeError(`${label}: expected ${seedBytes} bytes, got ${value.length}`);
}

/** Returns a generator of 32-bit words from the successive blocks SHA-256(label | seed | block number). */
function words(crypto: CryptoSuite, seed: Uint8Array, label: Uint8Array): () => number {
  const number = new Uint8Array(4);
  let block: Uint8Array = new Uint8Array(0);
  let blocks = 0;
  let at = blockWords;
  return () => {
    if (at === blockWords) {
      writeUint(number, 0, 4, blocks++);
      block = crypto.sha256([label, seed, number]);
      at = 0;
    }
    return readUint(block, 4 * at, 4 * ++at);
  };
}
