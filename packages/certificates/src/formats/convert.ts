import { concat, toHex } from '@tutti/core/input';
import {
  bitsOf,
  type CertificateRegistry,
  certificateRegistryDigest,
  decodeCertificate,
  encodeCertificate,
  hasBitBeyond,
  membersOf,
  messageHash,
} from '../verification/certificate.ts';
import { decodeSignedWarp, encodeSignedWarp, warpMembersOf, warpSetOf } from './avalanche.ts';
import { encodeSyncAggregate, syncCommitteeSize } from './ssz.ts';

/**
 * The message and the registry that belong to a certificate, with a kernel that decodes the certificate's points, such
 * as `Bls` of `@tutti/wasm-bls`.
 */
export interface CertificateSubject {
  readonly registry: CertificateRegistry;
  /** The message's bytes. */
  readonly bytes: Uint8Array;
  readonly kernel: {
    decodePublicKey(bytes: Uint8Array): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false };
    decodeSignature(bytes: Uint8Array): { readonly ok: true; readonly point: Uint8Array } | { readonly ok: false };
    encodeSignature(point: Uint8Array): Uint8Array;
  };
}

/** The signers, as bits by registry entry, and the compressed signature. */
interface Signed {
  readonly bits: Uint8Array;
  readonly signature: Uint8Array;
}

/** Conversion of certificates to and from one format. */
interface Form {
  /** @throws RangeError if the format cannot represent the message or the registry. */
  write(signed: Signed, subject: CertificateSubject): Uint8Array;
  /** Returns the signers and the signature, or undefined for bytes that are not in this format. */
  read(bytes: Uint8Array, subject: CertificateSubject): Signed | undefined;
}

/**
 * Formats of a certificate other than this project's own format, by name. The formats are Avalanche's signed message, if
 * the message is an unsigned warp message; Ethereum's sync aggregate, with the members in the registry's order; and
 * bits and signature for a contract, in the ABI encoding of `(bytes, bytes)`. The formats of Avalanche and Ethereum
 * require keys in G1.
 */
const forms = {
  avalanche: {
    write({ bits, signature }, subject) {
      const places = warpPlaces(subject);
      if (decodeSignedWarp(encodeSignedWarp(subject.bytes, [], signature)) === undefined)
        throw new RangeError(`message: expected an unsigned warp message, got ${subject.bytes.length} other bytes`);
      const signers = membersOf(bits).map((member) => places.get(member)!);
      return encodeSignedWarp(subject.bytes, signers, signature);
    },
    read(bytes, subject) {
      const read = decodeSignedWarp(bytes);
      if (read === undefined || read.bits[0] === 0 || toHex(read.unsigned) !== toHex(subject.bytes)) return undefined;
      const members = new Map([...warpPlaces(subject)].map(([member, place]) => [place, member]));
      const signed = warpMembersOf(read.bits);
      const signers = signed.flatMap((place) => members.get(place) ?? []);
      if (signers.length < signed.length) return undefined;
      return { bits: bitsOf(signers, subject.registry.entries.length), signature: read.signature };
    },
  },
  'sync-aggregate': {
    write({ bits, signature }, { registry: { entries } }) {
      if (entries.length > syncCommitteeSize)
        throw new RangeError(`registry: expected at most ${syncCommitteeSize} members, got ${entries.length}`);
      const signers = new Set(membersOf(bits));
      return encodeSyncAggregate(
        Array.from({ length: syncCommitteeSize }, (_, place) => signers.has(place)),
        signature,
      );
    },
    read(bytes, { registry: { entries } }) {
      const all = bytes.slice(0, syncCommitteeSize / 8);
      const signers = membersOf(all);
      if (bytes.length !== all.length + 96 || entries.length > syncCommitteeSize) return undefined;
      if (signers.some((place) => place >= entries.length)) return undefined;
      return { bits: all.slice(0, Math.ceil(entries.length / 8)), signature: bytes.slice(all.length) };
    },
  },
  eip2537: {
    write({ bits, signature }, { kernel }) {
      const read = kernel.decodeSignature(signature);
      if (!read.ok) throw new RangeError('signature: expected a point, got other bytes');
      const point = read.point.length === 96 ? g1ForEip2537(read.point) : g2ForEip2537(read.point);
      const padding = new Uint8Array(-bits.length & 31);
      const pointAt = 96 + bits.length + padding.length;
      return concat(word(64), word(pointAt), word(bits.length), bits, padding, word(point.length), point);
    },
    read(bytes, subject) {
      const length = Math.ceil(subject.registry.entries.length / 8);
      const point = pointOfEip2537(bytes.slice(128 + length + (-length & 31)));
      if (point === undefined) return undefined;
      try {
        const signed = { bits: bytes.slice(96, 96 + length), signature: subject.kernel.encodeSignature(point) };
        // A certificate has exactly one encoding.
        return toHex(this.write(signed, subject)) === toHex(bytes) ? signed : undefined;
      } catch (error) {
        if (error instanceof RangeError) return undefined;
        throw error;
      }
    },
  },
} satisfies Record<string, Form>;

/** Name of a format in {@link certificateForms}; `tutti` is this project's own format. */
export type CertificateForm = 'tutti' | keyof typeof forms;

/** Names of the formats that {@link convertCertificate} writes. */
export const certificateForms = ['tutti', ...Object.keys(forms)] as CertificateForm[];

/**
 * Converts a certificate in this project's format to another format.
 *
 * @param certificate bytes from `encodeCertificate`.
 * @throws RangeError for a message or a registry that the format cannot represent, and for bytes that are not a
 * certificate.
 */
export function convertCertificate(
  form: CertificateForm,
  certificate: Uint8Array,
  subject: CertificateSubject,
): Uint8Array {
  const read = decodeCertificate(certificate);
  if (read === undefined) throw new RangeError(`certificate: expected one, got ${certificate.length} other bytes`);
  return form === 'tutti' ? ownForm(read, subject) : forms[form].write(read, subject);
}

/**
 * Converts a certificate in another format to this project's format, for `verifyCertificate` to check. A certificate
 * has exactly one encoding in each format; the function rejects any other encoding.
 *
 * @throws RangeError for a registry that the format cannot represent, such as Avalanche's for keys in G2.
 * @returns undefined for bytes that are not in that format, and in Avalanche's format for another message. In the other
 * formats, only `verifyCertificate` shows whether the certificate belongs to the message. The content of the bytes
 * never causes an exception.
 */
export function readCertificate(
  form: CertificateForm,
  bytes: Uint8Array,
  subject: CertificateSubject,
): Uint8Array | undefined {
  if (form === 'tutti') return decodeCertificate(bytes) === undefined ? undefined : bytes;
  const signed = forms[form].read(bytes, subject);
  if (signed === undefined || hasBitBeyond(signed.bits, subject.registry.entries.length)) return undefined;
  return ownForm(signed, subject);
}

function ownForm({ bits, signature }: Signed, { registry, bytes }: CertificateSubject): Uint8Array {
  return encodeCertificate({
    registry: certificateRegistryDigest(registry),
    epoch: registry.epoch ?? 0n,
    message: messageHash(bytes),
    size: registry.entries.length,
    bits,
    signature,
  });
}

/** Returns the position of each registry entry among Avalanche's members. */
function warpPlaces({ registry: { entries }, kernel }: CertificateSubject): Map<number, number> {
  const { members } = warpSetOf(
    entries.map(({ publicKey, weight = 1n }) => ({ publicKey, weight })),
    (key) => {
      const read = kernel.decodePublicKey(key);
      if (!read.ok || read.point.length !== 96)
        throw new RangeError(`registry: expected keys in G1, got ${toHex(key)}`);
      return read.point;
    },
  );
  const placeOf = new Map(members.map(({ publicKey }, place) => [toHex(publicKey), place]));
  return new Map(entries.map(({ publicKey }, member) => [member, placeOf.get(toHex(publicKey))!]));
}

function word(value: number): Uint8Array {
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(28, value);
  return bytes;
}

/*
 * Points in the format of Ethereum's EIP-2537 precompiles: uncompressed and without flags. Each coordinate has 64
 * bytes, of which the first 16 are zero. In this format, a coordinate in G2 has the real part first; in compressed
 * points the real part is last.
 */

const coordinateBytes = 48;

function padded(point: Uint8Array, coordinate: number): Uint8Array {
  const at = coordinate * coordinateBytes;
  return concat(new Uint8Array(16), point.subarray(at, at + coordinateBytes));
}

/**
 * Converts a point of G1 to EIP-2537. @param point 96 bytes, x and y, as `decodePublicKey` returns them. @returns 128
 * bytes.
 */
export function g1ForEip2537(point: Uint8Array): Uint8Array {
  if (point.length !== 2 * coordinateBytes) throw new RangeError(`point: expected 96 bytes, got ${point.length}`);
  return concat(padded(point, 0), padded(point, 1));
}

/**
 * Converts a point of G2 to EIP-2537. @param point 192 bytes, x and y with the imaginary part first, as
 * `decodeSignature` returns them. @returns 256 bytes.
 */
export function g2ForEip2537(point: Uint8Array): Uint8Array {
  if (point.length !== 4 * coordinateBytes) throw new RangeError(`point: expected 192 bytes, got ${point.length}`);
  return concat(padded(point, 1), padded(point, 0), padded(point, 3), padded(point, 2));
}

/** Converts an EIP-2537 point of either group back to x and y, or returns undefined for bytes in any other format. */
export function pointOfEip2537(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length !== 128 && bytes.length !== 256) return undefined;
  const parts = Array.from({ length: bytes.length / 64 }, (_, part) => bytes.subarray(64 * part, 64 * part + 64));
  if (parts.some((part) => part.subarray(0, 16).some((byte) => byte !== 0))) return undefined;
  const order = parts.length === 2 ? [0, 1] : [1, 0, 3, 2];
  return concat(...order.map((part) => parts[part]!.subarray(16)));
}
