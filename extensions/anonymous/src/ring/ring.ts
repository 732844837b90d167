import { concatBytes } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { misuse, ownBytes, requireBytes, requireBytesList, shown, uint32Bytes } from '@tutti/wasm-bls/kernel';
import { elementLength, type Point, readElement, tabled } from './group.ts';

/**
 * Maximum number of members in a ring, which limits the length and the verification time of a signature from a peer. A
 * traceable signature for a ring of this size is 65,568 bytes long.
 */
export const maxMembers = 1024;

/** Maximum number of members in a ring with tables, which need about 150 kB per member. */
const maxTabled = 256;

const ringDomain = new TextEncoder().encode('tutti ring v1\0');

/** Reason why keys do not form a ring. `size`: there are no keys, or over 1,024. The other reasons concern one key. */
export type RingFault = 'size' | 'length' | 'encoding' | 'identity' | 'duplicate';

/**
 * Ring, or the reason why the keys do not form a ring. `index` is the index of the invalid key; for `size`, it is the
 * number of keys.
 */
export type DecodedRing =
  | { readonly ok: true; readonly ring: Ring }
  | { readonly ok: false; readonly code: RingFault; readonly index: number };

/**
 * The public keys among which a signer hides, in an order on which all parties agree. The same keys in a different
 * order form a different ring.
 */
export class Ring {
  /** Keys as encoded elements of ristretto255, 32 bytes each. */
  readonly keys: readonly Uint8Array[];
  readonly #points: readonly Point[];
  #hasTables = false;

  /** Only {@link decodeRing} creates a ring. */
  constructor(keys: readonly Uint8Array[], points: readonly Point[]) {
    this.keys = keys;
    this.#points = points;
  }

  get size(): number {
    return this.keys.length;
  }

  /**
   * Points that the keys encode. Verification multiplies each point repeatedly, so small rings get tables at the first
   * use.
   */
  get points(): readonly Point[] {
    if (!this.#hasTables && this.size <= maxTabled) {
      for (const point of this.#points) tabled(point);
      this.#hasTables = true;
    }
    return this.#points;
  }

  /** Returns the index of a key; -1 if the key is not in the ring. */
  indexOf(key: Uint8Array): number {
    requireBytes('key', key);
    return this.keys.findIndex((one) => one.every((byte, i) => byte === key[i]) && key.length === elementLength);
  }

  /**
   * Returns the identifier of scheme, ring and event: 64 bytes of SHA-512 over a label, the scheme's byte, the number
   * of keys, the keys, the event's length and the event. Different events have different identifiers.
   */
  context(scheme: number, event: Uint8Array): Uint8Array {
    requireBytes('event', event);
    return sha512(
      concatBytes(
        ringDomain,
        Uint8Array.of(scheme),
        uint32Bytes(this.size),
        ...this.keys.map(ownBytes),
        uint32Bytes(event.length),
        ownBytes(event),
      ),
    );
  }
}

/** Checks that a value is a ring. @throws TypeError for any other value. */
export function requireRing(ring: unknown): void {
  if (!(ring instanceof Ring)) throw misuse(TypeError, 'ring', 'a ring from decodeRing', shown(ring));
}

/**
 * Decodes the keys of a ring: 1 to 1,024 distinct encoded elements, none of them the identity.
 *
 * @param keys keys of 32 bytes each, arbitrary data from a peer.
 */
export function decodeRing(keys: readonly Uint8Array[]): DecodedRing {
  requireBytesList('keys', keys);
  if (keys.length < 1 || keys.length > maxMembers) return { ok: false, code: 'size', index: keys.length };
  const seen = new Set<string>();
  const points: Point[] = [];
  for (const [index, key] of keys.entries()) {
    if (key.length !== elementLength) return { ok: false, code: 'length', index };
    const name = key.join();
    if (seen.has(name)) return { ok: false, code: 'duplicate', index };
    seen.add(name);
    const point = readElement(key);
    if (typeof point === 'string') return { ok: false, code: point, index };
    points.push(point);
  }
  return {
    ok: true,
    ring: new Ring(
      keys.map((key) => Uint8Array.from(key)),
      points,
    ),
  };
}
