import { concat, requireInteger, toHex } from '@tutti/core/input';
import { bitsOf, type CertificateKernel, membersOf } from '../verification/certificate.ts';

/*
 * Avalanche's warp messages (avalanchego, vms/platformvm/warp). Members sign the codec's bytes without a prefix. A
 * certificate consists of a bit set and a signature of 96 bytes. The bit set of the signers is a big-endian integer
 * without leading zeros, in which bit i is member i. Members are sorted by their uncompressed keys.
 */

const chainBytes = 32;
const signatureBytes = 96;
const headBytes = 2 + 4 + chainBytes;

/** An unsigned warp message with its source and its payload. */
export interface WarpMessage {
  /** Network number, less than 2^32: 1 for Mainnet, 5 for Fuji. */
  readonly network: number;
  /** Id of the source chain, 32 bytes. */
  readonly chain: Uint8Array;
  readonly payload: Uint8Array;
}

/** Members that may sign, in Avalanche's order. Each key occurs once. */
export interface WarpSet {
  readonly members: readonly { readonly publicKey: Uint8Array; readonly weight: bigint }[];
  /** Total weight of all validators, including those without a key. */
  readonly total: bigint;
}

/** Reason to reject a signed warp message. */
export type WarpFault =
  | 'malformed'
  | 'wrong-network'
  | 'invalid-bitset'
  | 'unknown-validator'
  | 'under-weight'
  | 'no-signers'
  | 'invalid-signature';

/**
 * Returns the bytes to sign.
 *
 * @throws RangeError if the network is not an integer from 0 to 2^32 - 1, or the source chain's id is not 32 bytes
 * long.
 */
export function encodeWarpMessage({ network, chain, payload }: WarpMessage): Uint8Array {
  requireInteger('network', network, 0, 2 ** 32 - 1);
  if (chain.length !== chainBytes) throw new RangeError(`chain: expected ${chainBytes} bytes, got ${chain.length}`);
  return concat(new Uint8Array(2), uint32(network), chain, uint32(payload.length), payload);
}

/** Encodes a message with its certificate, in the form that nodes and contracts accept. */
export function encodeSignedWarp(unsigned: Uint8Array, members: readonly number[], signature: Uint8Array): Uint8Array {
  const set = encodeWarpBits(members);
  return concat(unsigned, uint32(0), uint32(set.length), set, signature);
}

/**
 * Encodes a set of members as a big-endian integer without leading zeros. The encoding of the empty set has no bytes.
 */
export function encodeWarpBits(members: readonly number[]): Uint8Array {
  const size = members.reduce((max, member) => Math.max(max, member + 1), 0);
  return bitsOf(members, size).toReversed();
}

/** Returns the members that {@link encodeWarpBits} encoded, in ascending order. */
export function warpMembersOf(bits: Uint8Array): number[] {
  return membersOf(bits.toReversed());
}

/** Decodes a signed message, or returns undefined for bytes that are not a signed message. */
export function decodeSignedWarp(
  bytes: Uint8Array,
):
  | (WarpMessage & { readonly unsigned: Uint8Array; readonly bits: Uint8Array; readonly signature: Uint8Array })
  | undefined {
  if (bytes.length < headBytes + 4) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const payloadEnd = headBytes + 4 + view.getUint32(headBytes);
  if (view.getUint16(0) !== 0 || bytes.length < payloadEnd + 8 || view.getUint32(payloadEnd) !== 0) return undefined;
  const bitsEnd = payloadEnd + 8 + view.getUint32(payloadEnd + 4);
  if (bytes.length !== bitsEnd + signatureBytes) return undefined;
  return {
    network: view.getUint32(2),
    chain: bytes.slice(6, headBytes),
    payload: bytes.slice(headBytes + 4, payloadEnd),
    unsigned: bytes.slice(0, payloadEnd),
    bits: bytes.slice(payloadEnd + 8, bitsEnd),
    signature: bytes.slice(bitsEnd),
  };
}

/**
 * Returns the members of a set of validators in Avalanche's order: all validators with a key, with the weights of equal
 * keys added. Validators without a key count only in the total weight.
 *
 * @param uncompressed returns the 96 bytes by which a member's key is ordered: `kernel.decodePublicKey(key).point`.
 * @throws RangeError if the total weight is 2^64 or more.
 */
export function warpSetOf(
  validators: readonly { readonly publicKey?: Uint8Array | undefined; readonly weight: bigint }[],
  uncompressed: (publicKey: Uint8Array) => Uint8Array,
): WarpSet {
  const members = new Map<string, { readonly publicKey: Uint8Array; weight: bigint }>();
  let total = 0n;
  for (const { publicKey, weight } of validators) {
    total += weight;
    if (publicKey === undefined) continue;
    const order = toHex(uncompressed(publicKey));
    const known = members.get(order);
    if (known === undefined) members.set(order, { publicKey, weight });
    else known.weight += weight;
  }
  if (total >= 2n ** 64n) throw new RangeError('validators: expected a sum of weights under 2^64');
  return { members: [...members].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member), total };
}

/**
 * Verifies a signed message by avalanchego's rules, in avalanchego's order. The signers' weight must be at least
 * numerator/denominator of the total weight. @returns the signers' weight, or the reason to reject the message.
 */
export function verifySignedWarp(
  bytes: Uint8Array,
  { members, total }: WarpSet,
  {
    network,
    numerator,
    denominator,
  }: { readonly network: number; readonly numerator: bigint; readonly denominator: bigint },
  kernel: CertificateKernel,
): { readonly ok: true; readonly weight: bigint } | { readonly ok: false; readonly code: WarpFault } {
  const read = decodeSignedWarp(bytes);
  if (read === undefined) return { ok: false, code: 'malformed' };
  if (read.network !== network) return { ok: false, code: 'wrong-network' };
  if (read.bits[0] === 0) return { ok: false, code: 'invalid-bitset' };
  const signers = warpMembersOf(read.bits);
  if (signers.some((member) => member >= members.length)) return { ok: false, code: 'unknown-validator' };
  const weight = signers.reduce((sum, member) => sum + members[member]!.weight, 0n);
  if (numerator * total > denominator * weight) return { ok: false, code: 'under-weight' };
  if (signers.length === 0) return { ok: false, code: 'no-signers' };
  const keys = signers.map((member) => members[member]!.publicKey);
  if (!kernel.fastAggregateVerify(keys, read.unsigned, read.signature)) return { ok: false, code: 'invalid-signature' };
  return { ok: true, weight };
}

function uint32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}
