import { sha256 } from '@noble/hashes/sha2.js';
import { concat } from '@tutti/core/input';

/*
 * Ethereum's formats: Electra's attestation and Altair's sync aggregate in SSZ (consensus-specs). Integers are
 * little-endian. A bitlist ends with an additional one bit.
 */

const rootBytes = 32;
/** Number of committees per slot. */
const committees = 64;
/** Length, in bytes, of a signature: a compressed point of G2. */
const signatureBytes = 96;
/** Total length, in bytes, of the fields before the voters: an offset, the data, the signature and the committees. */
const attestationHead = 4 + 128 + signatureBytes + committees / 8;
/** Maximum number of voters: 64 committees per slot with 2,048 members each. */
const maxVoters = 131_072;
/** Number of positions in a sync committee. */
export const syncCommitteeSize = 512;

/** An epoch and the root of the block at its start. */
export interface Checkpoint {
  readonly epoch: bigint;
  readonly root: Uint8Array;
}

/** The attestation data for which validators vote. */
export interface AttestationData {
  readonly slot: bigint;
  readonly index: bigint;
  readonly beaconBlockRoot: Uint8Array;
  readonly source: Checkpoint;
  readonly target: Checkpoint;
}

/**
 * An attestation by one or more committees. Votes are listed per committee, in the order of the committee's members.
 */
export interface SszAttestation {
  readonly data: AttestationData;
  readonly votes: readonly { readonly committee: number; readonly voted: readonly boolean[] }[];
  readonly signature: Uint8Array;
}

/**
 * Encodes an attestation.
 *
 * @throws RangeError for committees out of order, for a committee without a vote, for more than 131,072 flags, for an
 * integer of more than 64 bits, and if the signature is not 96 bytes long or a root is not 32 bytes long.
 */
export function encodeAttestation({ data, votes, signature }: SszAttestation): Uint8Array {
  requireSignature(signature);
  const { bits, committeeBits } = setsOf(votes);
  return concat(
    littleEndian(BigInt(attestationHead), 4),
    encodeData(data),
    signature,
    committeeBits,
    packed([...bits, true]),
  );
}

/** Returns the hash_tree_root of an attestation. @throws RangeError under the same conditions as the encoder. */
export function attestationRoot({ data, votes, signature }: SszAttestation): Uint8Array {
  requireSignature(signature);
  const { bits, committeeBits } = setsOf(votes);
  const chunks = chunksOf(packed(bits));
  const listRoot = sha256(concat(merkleRoot(chunks, maxVoters / 256), littleEndian(BigInt(bits.length), rootBytes)));
  return merkleRoot([listRoot, attestationDataRoot(data), merkleRoot(chunksOf(signature)), chunk(committeeBits)]);
}

/**
 * Returns the hash_tree_root of attestation data. @throws RangeError if a root is not 32 bytes long, or an integer has
 * more than 64 bits.
 */
export function attestationDataRoot({ slot, index, beaconBlockRoot, source, target }: AttestationData): Uint8Array {
  const checkpoint = ({ epoch, root }: Checkpoint) => merkleRoot([littleEndian(epoch, rootBytes), checkedRoot(root)]);
  return merkleRoot([
    littleEndian(slot, rootBytes),
    littleEndian(index, rootBytes),
    checkedRoot(beaconBlockRoot),
    checkpoint(source),
    checkpoint(target),
  ]);
}

/** Returns the root to sign, which combines an object's root with its domain. */
export function signingRoot(root: Uint8Array, domain: Uint8Array): Uint8Array {
  return merkleRoot([root, domain]);
}

/**
 * Encodes a sync aggregate.
 *
 * @param signed one flag per position in the sync committee, 512 in total.
 * @throws RangeError if the number of flags is not 512, or the signature is not 96 bytes long.
 */
export function encodeSyncAggregate(signed: readonly boolean[], signature: Uint8Array): Uint8Array {
  if (signed.length !== syncCommitteeSize)
    throw new RangeError(`signed: expected ${syncCommitteeSize} places, got ${signed.length}`);
  requireSignature(signature);
  return concat(packed(signed), signature);
}

/** Returns the hash_tree_root of a sync aggregate. @throws RangeError under the same conditions as the encoder. */
export function syncAggregateRoot(signed: readonly boolean[], signature: Uint8Array): Uint8Array {
  const bytes = encodeSyncAggregate(signed, signature);
  const flags = bytes.subarray(0, syncCommitteeSize / 8);
  return merkleRoot([merkleRoot(chunksOf(flags)), merkleRoot(chunksOf(signature))]);
}

function requireSignature({ length }: Uint8Array): void {
  if (length !== signatureBytes) throw new RangeError(`signature: expected ${signatureBytes} bytes, got ${length}`);
}

function checkedRoot(root: Uint8Array): Uint8Array {
  if (root.length !== rootBytes) throw new RangeError(`root: expected ${rootBytes} bytes, got ${root.length}`);
  return root;
}

function setsOf(votes: SszAttestation['votes']): { bits: boolean[]; committeeBits: Uint8Array } {
  const named = new Array<boolean>(committees).fill(false);
  let last = -1;
  for (const { committee, voted } of votes) {
    if (!Number.isInteger(committee) || committee <= last || committee >= committees)
      throw new RangeError(
        `committee: expected ascending integers under ${committees}, got ${committee} after ${last}`,
      );
    if (!voted.includes(true)) throw new RangeError(`committee ${committee}: expected a vote in it, got none`);
    named[committee] = true;
    last = committee;
  }
  const bits = votes.flatMap(({ voted }) => voted);
  if (bits.length > maxVoters) throw new RangeError(`votes: expected at most ${maxVoters} flags, got ${bits.length}`);
  return { bits, committeeBits: packed(named) };
}

function encodeData({ slot, index, beaconBlockRoot, source, target }: AttestationData): Uint8Array {
  const checkpoint = ({ epoch, root }: Checkpoint) => concat(littleEndian(epoch, 8), checkedRoot(root));
  const block = checkedRoot(beaconBlockRoot);
  return concat(littleEndian(slot, 8), littleEndian(index, 8), block, checkpoint(source), checkpoint(target));
}

function packed(bits: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits.length / 8));
  for (const [index, bit] of bits.entries()) if (bit) bytes[index >> 3]! |= 1 << (index & 7);
  return bytes;
}

/** Encodes an integer of 64 bits. @throws RangeError for any other value. */
function littleEndian(value: bigint, length: number): Uint8Array {
  if (value < 0n || value >= 2n ** 64n) throw new RangeError(`integer: expected 0 to 2^64 - 1, got ${value}`);
  return Uint8Array.from({ length }, (_, byte) => Number((value >> BigInt(8 * byte)) & 255n));
}

function chunk(bytes: Uint8Array): Uint8Array {
  const whole = new Uint8Array(rootBytes);
  whole.set(bytes);
  return whole;
}

function chunksOf(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(bytes.length / rootBytes) }, (_, index) =>
    chunk(bytes.subarray(index * rootBytes, (index + 1) * rootBytes)),
  );
}

/**
 * Returns the Merkle root of a list of 32-byte chunks. @param limit maximum number of chunks, which determines the
 * tree's depth. Default: the actual number of chunks.
 */
function merkleRoot(chunks: readonly Uint8Array[], limit = chunks.length): Uint8Array {
  let layer = [...chunks];
  let zero: Uint8Array = new Uint8Array(rootBytes);
  for (let width = 1; width < limit; width *= 2) {
    if (layer.length % 2 === 1) layer.push(zero);
    layer = Array.from({ length: layer.length / 2 }, (_, pair) =>
      sha256(concat(layer[2 * pair]!, layer[2 * pair + 1]!)),
    );
    zero = sha256(concat(zero, zero));
  }
  return layer[0] ?? zero;
}
