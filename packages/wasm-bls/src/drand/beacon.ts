import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { misuse } from '../arguments.ts';
import type { Bls } from '../bls.ts';
import { suites } from '../suite.ts';
import { type DrandChain, type DrandScheme, drandSchemes } from './chains.ts';

/** One round of a chain, as drand publishes it. */
export interface DrandBeacon {
  readonly round: number;
  readonly signature: Uint8Array;
  /** SHA-256 of the signature, if it was published too. */
  readonly randomness: Uint8Array | undefined;
  /** Of the round before, in a chained scheme; the first round's is 32 bytes, the hash of the group. */
  readonly previousSignature: Uint8Array | undefined;
}

/** Why a document is no round, or no chain: what was expected of which member. */
export class DrandError extends Error {
  override readonly name = 'DrandError';
  readonly code = 'not-drand';
}

/** SHA-256. */
const hashBytes = 32;

function fault(member: string, expected: string): never {
  throw new DrandError(`expected ${member}: ${expected}`);
}

/** Longer than any signature or key here. */
const mostBytes = 192;

function readHex(member: string, value: unknown): Uint8Array {
  if (typeof value !== 'string' || value.length > 2 * mostBytes || !/^([0-9a-f]{2})+$/i.test(value))
    fault(member, 'hexadecimal digits');
  return hexToBytes(value);
}

function members(document: unknown, what: string): Record<string, unknown> {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) fault(what, 'a JSON object');
  return document as Record<string, unknown>;
}

/**
 * A round from the JSON that drand answers to `/public/ROUND`.
 *
 * @param document - parsed JSON, anything from a stranger.
 * @throws DrandError that names the member at fault.
 */
export function readDrandBeacon(document: unknown): DrandBeacon {
  const { round, signature, randomness, previous_signature: previous } = members(document, 'a round');
  if (!Number.isSafeInteger(round) || (round as number) < 1) fault('"round"', 'an integer from 1 to 2^53 - 1');
  const optional = (member: string, value: unknown): Uint8Array | undefined =>
    value === undefined || value === '' ? undefined : readHex(member, value);
  return {
    round: round as number,
    signature: readHex('"signature"', signature),
    randomness: optional('"randomness"', randomness),
    previousSignature: optional('"previous_signature"', previous),
  };
}

/**
 * A chain from the JSON that drand answers to `/info`.
 *
 * @param document - parsed JSON, anything from a stranger.
 * @throws DrandError that names the member at fault.
 */
export function readDrandChain(document: unknown): DrandChain {
  const { public_key: publicKey, schemeID: scheme, hash, metadata } = members(document, 'a chain');
  if (typeof scheme !== 'string' || !Object.hasOwn(drandSchemes, scheme))
    fault('"schemeID"', `one of ${Object.keys(drandSchemes).join(', ')}`);
  const known = scheme as DrandScheme;
  const length = suites[drandSchemes[known].variant].publicKeyBytes;
  if (readHex('"public_key"', publicKey).length !== length)
    fault('"public_key"', `${2 * length} hexadecimal digits, for ${known}`);
  const name = (metadata as { beaconID?: unknown } | undefined)?.beaconID;
  return {
    name: typeof name === 'string' && /^[\w.-]{1,64}$/.test(name) ? name : 'unnamed',
    scheme: known,
    publicKey: (publicKey as string).toLowerCase(),
    hash: typeof hash === 'string' && /^[0-9a-f]{64}$/i.test(hash) ? hash.toLowerCase() : undefined,
  };
}

/**
 * The message that a chain's round signs: SHA-256 of the round's number, 8 bytes, big-endian; in a chained scheme with
 * the signature of the round before it in front.
 *
 * @returns undefined for a chained scheme's round that does not say what came before it.
 */
export function drandMessage(chain: DrandChain, beacon: DrandBeacon): Uint8Array | undefined {
  const round = new Uint8Array(8);
  new DataView(round.buffer).setBigUint64(0, BigInt(beacon.round));
  if (!drandSchemes[chain.scheme].isChained) return sha256(round);
  const { previousSignature } = beacon;
  return previousSignature === undefined ? undefined : sha256(concatBytes(previousSignature, round));
}

/** What there is to say of a round: `valid`, or the first thing that is wrong with it. */
export type DrandVerdict = 'valid' | 'randomness' | 'no-previous-signature' | 'previous-signature' | 'signature';

/**
 * Verifies a round: that its randomness is the signature's hash, if it was given, and that the signature is the
 * chain's on this round.
 *
 * @param bls - of the variant that the chain's scheme has (`drandSchemes`).
 * @throws RangeError if it is of the other; the round and the chain's key may be anything.
 */
export function verifyDrandBeacon(bls: Bls, chain: DrandChain, beacon: DrandBeacon): DrandVerdict {
  const { variant, domain, isChained } = drandSchemes[chain.scheme];
  if (bls.variant !== variant) throw misuse(RangeError, 'bls', `one of ${variant}, for ${chain.scheme}`, bls.variant);
  const message = drandMessage(chain, beacon);
  if (message === undefined) return 'no-previous-signature';
  // Of one length: otherwise the same bytes could be read as another round's number, and other bytes before it.
  if (isChained && !hasPreviousLength(beacon, suites[variant].signatureBytes)) return 'previous-signature';
  if (beacon.randomness !== undefined && !isSame(beacon.randomness, sha256(beacon.signature))) return 'randomness';
  const key = hexToBytes(chain.publicKey);
  const tag = new TextEncoder().encode(domain);
  return bls.verify(key, message, beacon.signature, 'compressed', tag) ? 'valid' : 'signature';
}

function hasPreviousLength({ round, previousSignature }: DrandBeacon, signatureBytes: number): boolean {
  return previousSignature?.length === (round === 1 ? hashBytes : signatureBytes);
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
