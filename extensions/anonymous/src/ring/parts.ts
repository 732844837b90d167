import { sha512 } from '@noble/hashes/sha2.js';
import { ownBytes, requireBytes } from '@tutti/wasm-bls/kernel';
import { elementLength, type Point, readElement, readScalar, scalarLength } from './group.ts';
import { type Ring, requireRing } from './ring.ts';
import type { RingSignatureFault } from './scheme.ts';

/** The values to which a signature is bound. */
export interface Occasion {
  /** Identifier of scheme, ring and event, 64 bytes. */
  readonly context: Uint8Array;
  /** SHA-512 of the message, 64 bytes. */
  readonly messageHash: Uint8Array;
}

/**
 * Checks a ring, an event and a message, and computes the values to which a signature is bound.
 *
 * @param scheme number of the scheme, 1 or 2.
 */
export function occasionOf(ring: Ring, scheme: number, event: Uint8Array, message: Uint8Array): Occasion {
  requireRing(ring);
  requireBytes('message', message);
  return { context: ring.context(scheme, event), messageHash: sha512(ownBytes(message)) };
}

/** A signature of either scheme: a sequence of scalars that contains one element. */
export interface SignatureParts {
  readonly scalars: readonly bigint[];
  readonly element: Point;
  /** Encoding of the element in the signature. */
  readonly elementBytes: Uint8Array;
}

/** Returns the total length of one element and the given number of scalars, bytes. */
export const bytesOfParts = (scalars: number): number => elementLength + scalarLength * scalars;

/**
 * Decodes a signature, or returns the reason why it is malformed.
 *
 * @param signature arbitrary data from a peer.
 * @param scalars required number of scalars.
 * @param before number of scalars that precede the element.
 */
export function readParts(
  signature: Uint8Array,
  scalars: number,
  before: number,
): SignatureParts | Exclude<RingSignatureFault, 'equation'> {
  requireBytes('signature', signature);
  if (signature.length !== bytesOfParts(scalars)) return 'length';
  const elementAt = scalarLength * before;
  const read: bigint[] = [];
  for (let i = 0; i < scalars; i++) {
    const at = scalarLength * i + (i < before ? 0 : elementLength);
    const scalar = readScalar(signature.subarray(at, at + scalarLength));
    if (scalar === undefined) return 'scalar';
    read.push(scalar);
  }
  const elementBytes = signature.slice(elementAt, elementAt + elementLength);
  const element = readElement(elementBytes);
  return typeof element === 'string' ? 'element' : { scalars: read, element, elementBytes };
}
