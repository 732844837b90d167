import { concatBytes } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { requireBytes } from '../arguments.ts';
import {
  combine,
  ELEMENT_BYTES,
  Fl,
  hashToGroup,
  hashToScalar,
  Point,
  readElement,
  readScalar,
  SCALAR_BYTES,
  scalarBytes,
  tabled,
} from './group.ts';
import type { Ring } from './ring.ts';
import type { RingMark, RingRelation, RingScheme, VerifiedRingSignature } from './scheme.ts';
import { areSame, signerOf } from './signer.ts';

const SCHEME = 1;
const BASE_DOMAIN = 'TUTTI_RING_LINKABLE_BASE_ristretto255_XMD:SHA-512_R255MAP_RO_';
const CHALLENGE_DOMAIN = 'TUTTI_RING_LINKABLE_CHALLENGE_';

/** c_0, and the tag, before the responses. */
const HEAD_BYTES = SCALAR_BYTES + ELEMENT_BYTES;

/**
 * Linkable spontaneous anonymous group signatures (Liu, Wei, Wong: ACISP 2004, section 4), in ristretto255. A member's tag is x h, with
 * the base h hashed from ring and event; the proof that its x is that of one of the ring's keys is a circle of challenges, which only who
 * knows an x can close. A signature is
 *
 *     c_0 32 | tag 32 | s_0 32 | ... | s_(n-1) 32                                                       (64 + 32 n bytes)
 */
export const linkable: RingScheme = {
  name: 'linkable',

  signatureBytes: (members) => HEAD_BYTES + SCALAR_BYTES * members,

  sign(ring, secretKey, event, message, entropy) {
    const context = ring.context(SCHEME, event);
    const name = sha512(message);
    const { secret, index, draw } = signerOf(ring, secretKey, context, name, entropy);
    const base = tabled(baseOf(context));
    const tag = tabled(base.multiply(secret));
    const challenge = challenger(context, tag.toBytes(), name);

    const n = ring.size;
    const responses = new Array<bigint>(n);
    const nonce = draw(0);
    let c = challenge(Point.BASE.multiply(nonce), base.multiply(nonce));
    let first = c;
    let own = c;
    for (let step = 1; step <= n; step++) {
      const i = (index + step) % n;
      if (i === 0) first = c;
      if (i === index) {
        own = c;
        break;
      }
      const s = draw(step);
      responses[i] = s;
      c = challenge(...commitments(ring, i, s, c, base, tag));
    }
    responses[index] = Fl.sub(nonce, Fl.mul(own, secret));
    return concatBytes(scalarBytes(first), tag.toBytes(), ...responses.map(scalarBytes));
  },

  verify(ring, event, message, signature): VerifiedRingSignature {
    requireBytes('message', message);
    requireBytes('signature', signature);
    if (signature.length !== linkable.signatureBytes(ring.size)) return { ok: false, code: 'length' };
    const first = readScalar(signature.subarray(0, SCALAR_BYTES));
    const tagBytes = signature.slice(SCALAR_BYTES, HEAD_BYTES);
    const responses = ring.keys.map((_, i) =>
      readScalar(signature.subarray(HEAD_BYTES + SCALAR_BYTES * i, HEAD_BYTES + SCALAR_BYTES * (i + 1))),
    );
    if (first === undefined || responses.includes(undefined)) return { ok: false, code: 'scalar' };
    const tag = readElement(tagBytes);
    if (typeof tag === 'string') return { ok: false, code: 'element' };

    const context = ring.context(SCHEME, event);
    const name = sha512(message);
    const base = tabled(baseOf(context));
    tabled(tag);
    const challenge = challenger(context, tagBytes, name);
    let c = first;
    for (const [i, s] of responses.entries()) c = challenge(...commitments(ring, i, s!, c, base, tag));
    return c === first ? { ok: true, mark: { message: name, tags: [tagBytes] } } : { ok: false, code: 'equation' };
  },

  claimed(ring, _event, message, signature): RingMark | undefined {
    if (signature.length !== linkable.signatureBytes(ring.size)) return undefined;
    return { message: sha512(message), tags: [signature.slice(SCALAR_BYTES, HEAD_BYTES)] };
  },

  relate(a: RingMark, b: RingMark): RingRelation {
    if (!areSame(a.tags[0]!, b.tags[0]!)) return { kind: 'independent' };
    return areSame(a.message, b.message) ? { kind: 'repeated' } : { kind: 'double', signer: undefined };
  },
};

const baseOf = (context: Uint8Array): Point => hashToGroup(BASE_DOMAIN, context);

const commitments = (ring: Ring, i: number, s: bigint, c: bigint, base: Point, tag: Point): [Point, Point] => [
  combine(s, Point.BASE, c, ring.points[i]!),
  combine(s, base, c, tag),
];

const challenger =
  (context: Uint8Array, tag: Uint8Array, name: Uint8Array) =>
  (left: Point, right: Point): bigint =>
    hashToScalar(CHALLENGE_DOMAIN, context, tag, name, left.toBytes(), right.toBytes());
