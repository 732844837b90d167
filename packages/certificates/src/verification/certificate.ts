import { sha256 } from '@noble/hashes/sha2.js';
import { type AgreedRegistry, blsLengths, defaultThreshold, minWeight, registryParts, weightsOf } from '@tutti/core';
import { concat, requireBytes, requireMethods, requireObject } from '@tutti/core/input';
import { maxEntries } from '../registry/verifyRegistry.ts';

/**
 * A registry for certificates: the members that may sign, their weights, and the terms. The registry's digest covers
 * all of these data. The entries must have been checked with `verifyEntry`, because without proofs of possession a
 * certificate proves nothing.
 */
export type CertificateRegistry = AgreedRegistry;

/** A certificate that members of a registry signed a message. */
export interface Certificate {
  /** Digest of the registry, 32 bytes. */
  readonly registry: Uint8Array;
  readonly epoch: bigint;
  /** SHA-256 of the message, 32 bytes. */
  readonly message: Uint8Array;
  /** Number of entries of the registry. */
  readonly size: number;
  /** Bitfield of the signers: bit b & 7 of byte b >> 3 is entry b. */
  readonly bits: Uint8Array;
  /** Compressed signature: 96 bytes of G2, or 48 bytes of G1 if keys are in G2. */
  readonly signature: Uint8Array;
}

/** Reasons to reject a certificate, in the order of the checks. */
export type CertificateFault =
  | 'malformed'
  | 'wrong-epoch'
  | 'wrong-registry'
  | 'wrong-message'
  | 'wrong-size'
  | 'under-weight'
  | 'invalid-signature';

/** Result of {@link verifyCertificate}: the signers and their weight, or a code for the rejection. */
export type CertificateVerdict =
  | { readonly ok: true; readonly signers: number; readonly weight: bigint; readonly total: bigint }
  | { readonly ok: false; readonly code: CertificateFault };

/** A kernel that verifies signatures, such as `Bls` of `@tutti/wasm-bls`. */
export interface CertificateKernel {
  fastAggregateVerify(publicKeys: readonly Uint8Array[], message: Uint8Array, signature: Uint8Array): boolean;
}

const version = 1;
/**
 * Lengths, in bytes, of signatures by suite: suite 0 has keys in G1 (min-pk), suite 1 has keys in G2 (min-sig); both
 * suites use proofs of possession.
 */
const signatureBytes: readonly number[] = [blsLengths['min-pk'].signature, blsLengths['min-sig'].signature];
const digestBytes = 32;
// Offsets of the fields of a certificate.
const registryAt = 2;
const epochAt = registryAt + digestBytes;
const messageAt = epochAt + 8;
const signatureAt = messageAt + digestBytes;
const offsetBytes = 4;

/**
 * Returns the digest by which certificates identify a registry, 32 bytes. See `registryDigest` for the digest's
 * definition.
 */
export function certificateRegistryDigest(registry: CertificateRegistry): Uint8Array {
  return sha256(concat(...registryParts(registry)));
}

/** Returns the SHA-256 of a message, by which rounds and certificates identify the message. */
export function messageHash(bytes: Uint8Array): Uint8Array {
  requireBytes('bytes', bytes);
  return sha256(bytes);
}

/**
 * Encodes a certificate in this project's format, version 1. The encoding is the SSZ of (version uint8, suite uint8,
 * registry Bytes32, epoch uint64, message Bytes32, signature Bytes96 or Bytes48, signers Bitlist). Each certificate has
 * exactly one encoding.
 *
 * @throws RangeError for fields of the wrong length or out of range, and for bits beyond `size`.
 */
export function encodeCertificate({ registry, epoch, message, size, bits, signature }: Certificate): Uint8Array {
  if (!isSize(size)) throw new RangeError(`size: expected an integer from 1 to ${maxEntries}, got ${size}`);
  if (epoch < 0n || epoch >= 2n ** 64n)
    throw new RangeError(`epoch: expected a bigint from 0 to 2^64 - 1, got ${epoch}`);
  for (const [name, field, length] of [
    ['registry', registry, digestBytes],
    ['message', message, digestBytes],
    ['bits', bits, Math.ceil(size / 8)],
  ] as const)
    if (field.length !== length) throw new RangeError(`${name}: expected ${length} bytes, got ${field.length}`);
  const suite = signatureBytes.indexOf(signature.length);
  if (suite < 0) throw new RangeError(`signature: expected 96 or 48 bytes, got ${signature.length}`);
  if (hasBitBeyond(bits, size)) throw new RangeError(`bits: expected none beyond ${size}, got some`);
  const offsetAt = signatureAt + signature.length;
  const bitsAt = offsetAt + offsetBytes;
  const bytes = new Uint8Array(bitsAt + Math.floor(size / 8) + 1);
  const view = new DataView(bytes.buffer);
  bytes[0] = version;
  bytes[1] = suite;
  bytes.set(registry, registryAt);
  view.setBigUint64(epochAt, epoch, true);
  bytes.set(message, messageAt);
  bytes.set(signature, signatureAt);
  view.setUint32(offsetAt, bitsAt, true);
  bytes.set(bits, bitsAt);
  bytes[bitsAt + (size >> 3)]! |= 1 << (size & 7);
  return bytes;
}

/**
 * Decodes a certificate from {@link encodeCertificate}, or returns undefined for any other bytes. The content of the
 * bytes never causes an exception.
 */
export function decodeCertificate(bytes: Uint8Array): Certificate | undefined {
  const signed = bytes[0] === version ? signatureBytes[bytes[1]!] : undefined;
  if (signed === undefined) return undefined;
  const offsetAt = signatureAt + signed;
  const bitsAt = offsetAt + offsetBytes;
  if (bytes.length <= bitsAt) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(offsetAt, true) !== bitsAt) return undefined;
  const last = bytes.at(-1)!;
  if (last === 0) return undefined;
  const endBit = 31 - Math.clz32(last);
  const size = (bytes.length - bitsAt - 1) * 8 + endBit;
  if (!isSize(size)) return undefined;
  const bits = bytes.slice(bitsAt, bitsAt + Math.ceil(size / 8));
  if (endBit > 0) bits[bits.length - 1]! &= ~(1 << endBit);
  return {
    registry: bytes.slice(registryAt, epochAt),
    epoch: view.getBigUint64(epochAt, true),
    message: bytes.slice(messageAt, signatureAt),
    size,
    bits,
    signature: bytes.slice(signatureAt, offsetAt),
  };
}

/** Returns the maximum length of a certificate for a registry of `size` entries, bytes. */
export function maxCertificateBytes(size: number): number {
  return signatureAt + Math.max(...signatureBytes) + offsetBytes + Math.floor(size / 8) + 1;
}

const isSize = (size: number): boolean => Number.isInteger(size) && size >= 1 && size <= maxEntries;

/** Arguments of {@link verifyCertificate}. */
export interface VerifyCertificateOptions {
  readonly registry: CertificateRegistry;
  /** Bytes of the signed message. */
  readonly bytes: Uint8Array;
  /** The certificate, encoded by {@link encodeCertificate}. */
  readonly certificate: Uint8Array;
  readonly kernel: CertificateKernel;
}

/**
 * Verifies that the members that signed a message have enough weight in a registry. A certificate for another registry,
 * epoch or message is rejected, with a separate code for each case. The content of a certificate never causes an
 * exception.
 */
export function verifyCertificate(options: VerifyCertificateOptions): CertificateVerdict {
  requireObject('options', options);
  const { registry, bytes, certificate, kernel } = options;
  requireObject('registry', registry);
  requireBytes('bytes', bytes);
  requireBytes('certificate', certificate);
  requireMethods('kernel', kernel, ['fastAggregateVerify']);
  const { entries, epoch = 0n, threshold = defaultThreshold } = registry;
  const read = decodeCertificate(certificate);
  if (read === undefined) return { ok: false, code: 'malformed' };
  // The registry's digest covers the epoch, so the epoch must be compared before the digest.
  if (read.epoch !== epoch) return { ok: false, code: 'wrong-epoch' };
  if (!isEqual(read.registry, certificateRegistryDigest(registry))) return { ok: false, code: 'wrong-registry' };
  if (!isEqual(read.message, messageHash(bytes))) return { ok: false, code: 'wrong-message' };
  if (read.size !== entries.length) return { ok: false, code: 'wrong-size' };
  const signers = membersOf(read.bits);
  const weights = weightsOf(entries) ?? entries.map(() => 1n);
  const total = weights.reduce((sum, one) => sum + one, 0n);
  const weight = signers.reduce((sum, index) => sum + weights[index]!, 0n);
  if (weight < minWeight(total, threshold.numerator, threshold.denominator)) return { ok: false, code: 'under-weight' };
  const keys = signers.map((index) => entries[index]!.publicKey);
  if (!kernel.fastAggregateVerify(keys, bytes, read.signature)) return { ok: false, code: 'invalid-signature' };
  return { ok: true, signers: signers.length, weight, total };
}

/** Returns the indices of the set bits, in ascending order. Index b corresponds to bit b & 7 of byte b >> 3. */
export function membersOf(bits: Uint8Array): number[] {
  const members: number[] = [];
  for (let index = 0; index < bits.length * 8; index++) if ((bits[index >> 3]! >> (index & 7)) & 1) members.push(index);
  return members;
}

/** Returns the bitfield of the given indices, which are less than `size`. */
export function bitsOf(members: readonly number[], size: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(size / 8));
  for (const member of members) bits[member >> 3]! |= 1 << (member & 7);
  return bits;
}

/** Returns whether a bitfield for `size` members has a set bit beyond its end. */
export function hasBitBeyond(bits: Uint8Array, size: number): boolean {
  return (size & 7) !== 0 && bits[size >> 3]! >> (size & 7) !== 0;
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
