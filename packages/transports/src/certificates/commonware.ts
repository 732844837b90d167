import { concat } from '../bytes.ts';
import { hasBitBeyond } from './certificate.ts';

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

/** What is signed: the namespace with its length before it, then the message. A proof of possession signs the key so. */
export function commonwareStatement(namespace: Uint8Array, message: Uint8Array): Uint8Array {
  const length: number[] = [];
  for (let rest = namespace.length; ; rest >>>= 7) {
    length.push(rest < 128 ? rest : (rest & 127) | 128);
    if (rest < 128) return concat(Uint8Array.from(length), namespace, message);
  }
}
