import { concat } from '../bytes.ts';
import { toHex } from '../hex.ts';
import { type CertificateKernel, hasBitBeyond, membersOf } from './certificate.ts';

/*
 * Commonware's multisig certificates (commonware-cryptography, bls12381::certificate::multisig): how many members there
 * are as 64 bits, big-endian; a bit a member, least first; a compressed signature without its length. Members are in the
 * order of their identity keys.
 */

const countBytes = 8;

export interface CommonwareCertificate {
  /** How many members there are. */
  readonly size: number;
  /** Bit b & 7 of byte b >> 3 is member b. */
  readonly bits: Uint8Array;
  /** 96 bytes, or 48 where keys are in G2. */
  readonly signature: Uint8Array;
}

/** @throws RangeError for bits of another length, beyond the members, or of nobody. */
export function encodeCommonware({ size, bits, signature }: CommonwareCertificate): Uint8Array {
  if (bits.length !== Math.ceil(size / 8))
    throw new RangeError(`bits: expected those of ${size}, got ${bits.length} bytes`);
  if (hasBitBeyond(bits, size)) throw new RangeError(`bits: expected none beyond ${size}, got some`);
  if (bits.every((byte) => byte === 0)) throw new RangeError('bits: expected a signer, got none');
  const count = new Uint8Array(countBytes);
  new DataView(count.buffer).setBigUint64(0, BigInt(size));
  return concat(count, bits, signature);
}

/** @param signatureBytes 96 or 48. @returns undefined for what Commonware refuses to decode. */
export function decodeCommonware(
  bytes: Uint8Array,
  members: number,
  signatureBytes: 48 | 96,
): CommonwareCertificate | undefined {
  const bitsBytes = Math.ceil(members / 8);
  if (bytes.length !== countBytes + bitsBytes + signatureBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getBigUint64(0) !== BigInt(members)) return undefined;
  const bits = bytes.slice(countBytes, countBytes + bitsBytes);
  if (hasBitBeyond(bits, members) || bits.every((byte) => byte === 0)) return undefined;
  return { size: members, bits, signature: bytes.slice(countBytes + bitsBytes) };
}

/**
 * Whether a certificate has its quorum, n - floor((n - 1) / 3) of n members, by Commonware's rules.
 *
 * @param keys in the order of the members' identity keys, each once, of kernel's variant.
 * @param statement what {@link commonwareStatement} made.
 */
export function verifyCommonware(
  bytes: Uint8Array,
  keys: readonly Uint8Array[],
  statement: Uint8Array,
  kernel: CertificateKernel,
):
  | { readonly ok: true; readonly signers: number }
  | { readonly ok: false; readonly code: 'malformed' | 'shared-key' | 'too-few' | 'invalid-signature' } {
  if (new Set(keys.map(toHex)).size !== keys.length) return { ok: false, code: 'shared-key' };
  const read = decodeCommonware(bytes, keys.length, keys[0]?.length === 96 ? 48 : 96);
  if (read === undefined) return { ok: false, code: 'malformed' };
  const signers = membersOf(read.bits);
  if (signers.length < keys.length - Math.floor((keys.length - 1) / 3)) return { ok: false, code: 'too-few' };
  const signed = signers.map((member) => keys[member]!);
  if (!kernel.fastAggregateVerify(signed, statement, read.signature)) return { ok: false, code: 'invalid-signature' };
  return { ok: true, signers: signers.length };
}

/** What is signed: the namespace with its length before it, then the message. A proof of possession signs the key so. */
export function commonwareStatement(namespace: Uint8Array, message: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = namespace.length; ; rest >>>= 7) {
    length.push(rest < 128 ? rest : (rest & 127) | 128);
    if (rest < 128) return concat(Uint8Array.from(length), namespace, message);
  }
}
