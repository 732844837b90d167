import type { KeptSignature, SignatureForm } from './points.ts';
import type { ContributionClaim } from './round.ts';
import { minIkmBytes } from './suite.ts';

/**
 * Whether a value is a Uint8Array, by its tag: one of another realm, such as a frame's or that of Jest's jsdom, is no
 * instance of this realm's class.
 */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && (value as Uint8Array)[Symbol.toStringTag] === 'Uint8Array';
}

/** The same bytes as an instance of this realm's class, for libraries that look at the class; anything else as it is. */
export function ownBytes<T>(value: T): T {
  if (!isBytes(value) || value instanceof Uint8Array) return value;
  const { buffer, byteOffset, length } = value as Uint8Array;
  return new Uint8Array(buffer, byteOffset, length) as T & Uint8Array;
}

/** What a caller passed, short enough for one line of an error and never a secret's content. */
export function shown(value: unknown): string {
  if (isBytes(value)) return `${value.length} bytes`;
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === 'number' ? String(value) : typeof value;
}

/** The same where a name or an address was asked for: texts in quotes, and no longer than a line takes. */
export function shownName(value: unknown): string {
  if (typeof value !== 'string') return shown(value);
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 77)}...` : value);
}

/** An error for a caller's mistake that always says which argument, what it should have been, and what came. */
export function misuse(
  kind: typeof TypeError | typeof RangeError,
  label: string,
  expected: string,
  got: string,
): Error {
  return new kind(`${label}: expected ${expected}, got ${got}`);
}

/** Refuses anything but an object. */
export function requireObject(label: string, value: unknown): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw misuse(TypeError, label, 'an object', shown(value));
}

/** Refuses an object with a field of another name. */
export function requireKnownFields(label: string, value: unknown, known: readonly string[]): void {
  requireObject(label, value);
  const other = Object.keys(value as object).find((field) => !known.includes(field));
  if (other !== undefined) throw misuse(TypeError, label, `no fields but ${known.join(', ')}`, JSON.stringify(other));
}

/** Refuses what has not these methods. */
export function requireMethods(label: string, value: unknown, names: readonly string[]): void {
  requireObject(label, value);
  for (const name of names) {
    const method = (value as Record<string, unknown>)[name];
    if (typeof method !== 'function') throw misuse(TypeError, `${label}.${name}`, 'a function', shown(method));
  }
}

/** Refuses anything but a list. */
export function requireList(label: string, value: unknown): void {
  if (!Array.isArray(value)) throw misuse(TypeError, label, 'an array', shown(value));
}

/** Refuses what is not a Uint8Array, before a curve library reads it as something else. */
export function requireBytes(label: string, value: unknown): asserts value is Uint8Array {
  if (!isBytes(value)) throw misuse(TypeError, label, 'a Uint8Array', shown(value));
}

/** Refuses bytes of any other length, for encodings that have one. */
export function requireLength(label: string, value: unknown, bytes: number): asserts value is Uint8Array {
  requireBytes(label, value);
  if (value.length !== bytes) throw misuse(RangeError, label, `${bytes} bytes`, shown(value));
}

/** Refuses what is too short for the input of KeyGen. */
export function requireEntropy(ikm: unknown): asserts ikm is Uint8Array {
  requireBytes('ikm', ikm);
  if (ikm.length < minIkmBytes) throw misuse(RangeError, 'ikm', `${minIkmBytes} bytes or more`, shown(ikm));
}

/** Refuses a list that is not one of Uint8Arrays; names the item at fault. */
export function requireBytesList(label: string, value: unknown): asserts value is readonly Uint8Array[] {
  if (!Array.isArray(value)) throw misuse(TypeError, label, 'an array of Uint8Array', shown(value));
  for (let i = 0; i < value.length; i++) requireBytes(`${label}[${i}]`, value[i]);
}

/** Refuses an empty list: the sum of nothing is the point at infinity, which no one means. */
export function requireSome(label: string, list: readonly Uint8Array[]): void {
  if (list.length === 0) throw misuse(RangeError, label, 'at least one item', shown(list));
}

/** Refuses what cannot be an index into a registry. */
export function requireIndex(label: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw misuse(RangeError, label, 'an integer of 0 or more', shown(value));
}

/** Refuses what is not a list of claims as a round reads them; names the argument at fault. */
export function requireClaims(claims: readonly ContributionClaim[]): void {
  requireClaimList(claims);
  for (const [i, claim] of claims.entries()) requireClaim(claim, `claims[${i}].`);
}

/** Refuses anything but a list. */
export function requireClaimList(claims: unknown): void {
  if (!Array.isArray(claims)) throw misuse(TypeError, 'claims', 'an array of claims', shown(claims));
}

/** Refuses what is not a claim as a round reads it, whatever a peer put into its bytes. */
export function requireClaim(claim: ContributionClaim, label = ''): void {
  requireClaimedKeys(claim, label);
  requireBytes(`${label}signature`, claim.signature);
}

/** A claim's first index and bits, likewise, whatever its signature is. */
export function requireClaimedKeys(claim: ContributionClaim<Uint8Array | KeptSignature>, label: string): void {
  if (typeof claim !== 'object' || claim === null) requireObject(label.replace(/\.$/, '') || 'claim', claim);
  requireIndex(`${label}first`, claim.first);
  requireBytes(`${label}bits`, claim.bits);
}

/** Refuses anything but a form of a signature. */
export function requireForm(form: SignatureForm): void {
  if (form !== 'compressed' && form !== 'uncompressed')
    throw misuse(RangeError, 'form', "'compressed' or 'uncompressed'", shown(form));
}

/** Refuses anything but a run of at least one of a list's items. */
export function requireRun(from: number, to: number, length: number): void {
  requireIndex('from', from);
  if (!Number.isSafeInteger(to) || to <= from || to > length)
    throw misuse(RangeError, 'to', `an integer in ${from + 1}..${length}`, shown(to));
}

/** Longest domain separation tag that RFC 9380 takes as it is (section 5.3.3). */
const maxDomainBytes = 255;

/** Refuses an empty domain separation tag, and one that would have to be hashed first. */
export function requireDomain(domain: unknown): asserts domain is Uint8Array {
  requireBytes('domain', domain);
  if (domain.length < 1 || domain.length > maxDomainBytes)
    throw misuse(RangeError, 'domain', `1 to ${maxDomainBytes} bytes`, shown(domain));
}
