import type { Bls } from '../src/bls.ts';
import { insecureSecretKey } from '../src/insecureKeys.ts';
import { suites } from '../src/suite.ts';

export const hexBytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replace(/^0x/, ''), 'hex'));
export const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

/** @throws Error with the reason code if the bytes do not encode a point. */
export function pointOf(
  decoded: { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false; readonly code: string },
): Uint8Array {
  if (!decoded.ok) throw new Error(decoded.code);
  return decoded.point;
}

/** Returns a compressed encoding of x: 48 bytes of one number in G1; in G2, x = c0 with imaginary part 0. */
export function compressedX(length: number, x: bigint): Uint8Array {
  const bytes = hexBytes(x.toString(16).padStart(2 * length, '0'));
  return bytes.with(0, bytes[0]! | 0x80);
}

/** The modulus p of BLS12-381's base field. */
export const modulus =
  0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

/** The order r of the groups of BLS12-381. */
export const groupOrder = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;

/** No point has x = 1; the points of G1 with x = 4 and of G2 with x = 2 are outside the subgroups. */
export const offCurveX = 1n;
export const outsideG1X = 4n;
export const outsideG2X = 2n;

/** A point of G1 on the curve and outside the subgroup: 96 uncompressed bytes. */
export const outsideG1Point = `${'0'.repeat(95)}4${'0a989badd40d6212b33cffc3f3763e9bc760f988c9926b26da9dd85e928483446346b8ed00e1de5d5ea93e354abe706c'}`;

/** A point of G2 on the curve and outside the subgroup: 192 uncompressed bytes. */
export const outsideG2Point = `${'0'.repeat(191)}2${'172e93db764a8400a7d5071b6b6f5de0da2f0f4a063119abca014006b7c40a2cfe291a1924e65db0d6d0fcfbf3bf3d5c'}${'18c6b864ae17dc9da64203ffefb966306425a7bc6aeb7c75247438372716284a4173830420cd476ba1a365b95bfcec38'}`;

export const infinity = (length: number): Uint8Array => new Uint8Array(length).with(0, 0xc0);
export const uncompressedInfinity = (length: number): Uint8Array => new Uint8Array(length).with(0, 0x40);

/** Returns the inverse of a compressed point: the encoding with its sign flag flipped. */
export const negated = (bytes: Uint8Array): Uint8Array => bytes.with(0, bytes[0]! ^ 0x20);

/** Engines, each with a variant that it supports. */
export const engineVariants = [
  ['wasm', 'min-pk'],
  ['wasm', 'min-sig'],
  ['noble', 'min-pk'],
  ['noble', 'min-sig'],
  ['native', 'min-pk'],
] as const;

/** Returns the bitset of some indices, least significant bit first. */
export function bitsOf(indices: readonly number[], length = Math.max(0, ...indices.map((i) => i + 1))): Uint8Array {
  const bits = new Uint8Array(Math.ceil(length / 8));
  for (const i of indices) bits[i >> 3]! |= 1 << (i & 7);
  return bits;
}

/** Returns nine test signers of a message, functions of their signatures, and encodings of infinity. */
export function nineSigners(bls: Bls, message: Uint8Array) {
  const { publicKeyBytes, signatureBytes, signaturePointBytes } = suites[bls.variant];
  const signers = signersOf(bls, 9, message);
  return {
    ...signers,
    publicKey: signers.publicKeys[0]!,
    signature: signers.signatures[0]!,
    noKey: infinity(publicKeyBytes),
    noSignature: infinity(signatureBytes),
    noPoint: uncompressedInfinity(signaturePointBytes),
    decoded: (bytes: Uint8Array) => pointOf(bls.decodeSignature(bytes)),
    aggregateOf: (indices: readonly number[]) => bls.aggregateSignatures(indices.map((i) => signers.signatures[i]!)),
  };
}

/** Returns the keys of `count` test signers, and their signatures on a message. */
export function signersOf(bls: Bls, count: number, message: Uint8Array) {
  const secretKeys = Array.from({ length: count }, (_, i) => insecureSecretKey(bls, 1, i));
  const publicKeys = secretKeys.map((key) => bls.publicKey(key));
  return { secretKeys, publicKeys, signatures: secretKeys.map((key) => bls.sign(key, message)) };
}
