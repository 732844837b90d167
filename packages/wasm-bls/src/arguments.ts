import type { SignatureForm } from './points.ts';
import { minIkmBytes } from './suite.ts';

/**
 * Returns whether a value is a Uint8Array, judged by its tag. An array from another realm, such as a frame or Jest's
 * jsdom, is not an instance of this realm's class.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array';
}

/**
 * Returns the same bytes as an instance of this realm's Uint8Array, for libraries that check the class. Values of other
 * types are returned unchanged.
 */
export function ownBytes<T>(value: T): T {
  if (!isBytes(value) || value instanceof Uint8Array) return value;
  const { buffer, byteOffset, length } = value as Uint8Array;
  return new Uint8Array(buffer, byteOffset, length) as T & Uint8Array;
}

/** Returns the concatenation of byte arrays. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Returns the bytes that an even number of hexadecimal digits encode, without checking the digits. */
export function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** Returns a number as four bytes, big-endian. */
export function uint32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/**
 * Returns a one-line description of an argument for an error message. The description never contains a secret's
 * content.
 */
export function shown(value: unknown): string {
  if (isBytes(value)) return `${value.length} bytes`;
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'number' ? String(value) : typeof value;
}

/**
 * Returns a one-line description of a name or an address for an error message: a string is quoted, and shortened to fit
 * on one line.
 */
export function shownName(value: unknown): string {
  if (typeof value !== 'string') return shown(value);
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
}

/**
 * Creates an error for a caller's mistake. The error states the argument's name, the expected value and the actual
 * value.
 */
export function misuse(
  kind: typeof TypeError | typeof RangeError,
  label: string,
  expected: string,
  got: string,
): Error {
  return new kind(`${label}: expected ${expected}, got ${got}`);
}

/** Checks that a value is an object. @throws TypeError if the value is not an object. */
export function requireObject(label: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw misuse(TypeError, label, 'an object', shown(value));
}

/** Checks that an object has no fields other than the given ones. @throws TypeError for any other field. */
export function requireKnownFields(label: string, value: unknown, known: readonly string[]): void {
  requireObject(label, value);
  const other = Object.keys(value as object).find((field) => !known.includes(field));
  if (other !== undefined) throw misuse(TypeError, label, `no fields but ${known.join(', ')}`, JSON.stringify(other));
}

/** Checks that a value is an object with the given methods. @throws TypeError for any other value. */
export function requireMethods(label: string, value: unknown, names: readonly string[]): void {
  requireObject(label, value);
  for (const name of names) {
    const method = (value as Record<string, unknown>)[name];
    if (typeof method !== 'function') throw misuse(TypeError, `${label}.${name}`, 'a function', shown(method));
  }
}

/** Checks that a value is a list. @throws TypeError if the value is not a list. */
export function requireList(label: string, value: unknown): void {
  if (!Array.isArray(value)) throw misuse(TypeError, label, 'an array', shown(value));
}

/**
 * Checks that a value is a Uint8Array, before a curve library could interpret it differently. @throws TypeError for any
 * other value.
 */
export function requireBytes(label: string, value: unknown): asserts value is Uint8Array {
  if (!isBytes(value)) throw misuse(TypeError, label, 'a Uint8Array', shown(value));
}

/**
 * Checks that bytes have the length of a given encoding. @throws RangeError for any other length, TypeError for a value
 * that is not a Uint8Array.
 */
export function requireLength(label: string, value: unknown, bytes: number): asserts value is Uint8Array {
  requireBytes(label, value);
  if (value.length !== bytes) throw misuse(RangeError, label, `${bytes} bytes`, shown(value));
}

/**
 * Checks that bytes are long enough as input for KeyGen. @throws RangeError for fewer than 32 bytes, TypeError for a
 * value that is not a Uint8Array.
 */
export function requireEntropy(ikm: unknown): asserts ikm is Uint8Array {
  requireBytes('ikm', ikm);
  if (ikm.length < minIkmBytes) throw misuse(RangeError, 'ikm', `${minIkmBytes} bytes or more`, shown(ikm));
}

/** Checks that a value is a list of Uint8Arrays. @throws TypeError that names the first item of another type. */
export function requireBytesList(label: string, value: unknown): asserts value is readonly Uint8Array[] {
  if (!Array.isArray(value)) throw misuse(TypeError, label, 'an array of Uint8Array', shown(value));
  for (let i = 0; i < value.length; i++) requireBytes(`${label}[${i}]`, value[i]);
}

/**
 * Checks that a list is not empty, because the sum of no points would be the point at infinity. @throws RangeError for
 * an empty list.
 */
export function requireSome(label: string, list: readonly unknown[]): void {
  if (list.length === 0) throw misuse(RangeError, label, 'at least one item', shown(list));
}

/** Checks that a number is a safe integer of 0 or more. @throws RangeError for any other number. */
export function requireIndex(label: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw misuse(RangeError, label, 'an integer of 0 or more', shown(value));
}

/** Checks that a value names the form of a signature. @throws RangeError for any other value. */
export function requireForm(form: SignatureForm): void {
  if (form !== 'compressed' && form !== 'uncompressed')
    throw misuse(RangeError, 'form', "'compressed' or 'uncompressed'", shownName(form));
}

/** Maximum length of a domain separation tag that RFC 9380 uses without prior hashing (section 5.3.3), bytes. */
export const maxDomainBytes = 255;

/**
 * Checks that a domain separation tag is neither empty nor too long for use without prior hashing. @throws RangeError
 * for any other length, TypeError for a value that is not a Uint8Array.
 */
export function requireDomain(domain: unknown): asserts domain is Uint8Array {
  requireBytes('domain', domain);
  if (domain.length < 1 || domain.length > maxDomainBytes)
    throw misuse(RangeError, 'domain', `1 to ${maxDomainBytes} bytes`, shown(domain));
}
