import { concatBytes } from '@noble/curves/utils.js';
import { combine, Fl, hashToGroup, hashToScalar, Point, scalarBytes, tabled } from './group.ts';
import { areSame } from './marks.ts';
import { bytesOfParts, type Occasion, occasionOf, readParts, type SignatureParts } from './parts.ts';
import type { Ring } from './ring.ts';
import type { RingMark, RingRelation, RingScheme, VerifiedRingSignature } from './scheme.ts';
import { signerOf } from './signer.ts';

const schemeByte = 1;
const baseDomain = 'TUTTI_RING_LINKABLE_BASE_ristretto255_XMD:SHA-512_R255MAP_RO_';
const challengeDomain = 'TUTTI_RING_LINKABLE_CHALLENGE_';

/**
 * Linkable spontaneous anonymous group signatures (Liu, Wei, Wong: ACISP 2004, section 4), in ristretto255. A member's
 * tag is x h, where the base h is hashed from ring and event. A ring of challenges proves that x is the secret of one
 * of the ring's keys: only a holder of such an x can close the ring of challenges. A signature has the form
 *
 * c_0 32 | tag 32 | s_0 32 | ... | s_(n-1) 32 (64 + 32 n bytes)
 */
export const linkable: RingScheme = {
  name: 'linkable',

  signatureBytes: (members) => bytesOfParts(1 + members),

  multiplicationsPerMember: 4,

  sign(ring, secretKey, event, message, entropy) {
    const { secret, index, draw, ...occasion } = signerOf(ring, schemeByte, event, message, secretKey, entropy);
    const base = tabled(baseOf(occasion));
    const tag = tabled(base.multiply(secret));
    const challenge = challenger(occasion, tag.toBytes());

    const n = ring.size;
    const responses = new Array<bigint>(n);
    const nonce = draw(0);
    let c = challenge(Point.BASE.multiply(nonce), base.multiply(nonce));
    let first = c;
    for (let step = 1; step < n; step++) {
      const i = (index + step) % n;
      if (i === 0) first = c;
      const s = draw(step);
      responses[i] = s;
      c = challenge(...commitments(ring, i, s, c, base, tag));
    }
    // The chain has returned to the signer.
    if (index === 0) first = c;
    responses[index] = Fl.sub(nonce, Fl.mul(c, secret));
    return concatBytes(scalarBytes(first), tag.toBytes(), ...responses.map(scalarBytes));
  },

  verify(ring, event, message, signature): VerifiedRingSignature {
    const occasion = occasionOf(ring, schemeByte, event, message);
    const parts = partsOf(ring, signature);
    if (typeof parts === 'string') return { ok: false, code: parts };
    if (chainOf(ring, occasion, parts).at(-1) !== parts.scalars[0]) return { ok: false, code: 'equation' };
    return { ok: true, mark: { message: occasion.messageHash, tags: [parts.elementBytes] } };
  },

  claimed(ring, event, message, signature): RingMark | undefined {
    const { messageHash } = occasionOf(ring, schemeByte, event, message);
    const parts = partsOf(ring, signature);
    return typeof parts === 'string' ? undefined : { message: messageHash, tags: [parts.elementBytes] };
  },

  relate(a: RingMark, b: RingMark): RingRelation {
    if (!areSame(a.tags[0]!, b.tags[0]!)) return { kind: 'independent' };
    return areSame(a.message, b.message) ? { kind: 'repeated' } : { kind: 'double', signer: undefined };
  },
};

/**
 * Returns the challenges c_0 ... c_n of a linkable signature, in encoded form. Each challenge determines the next one,
 * and the signature is valid if the last one equals the first.
 *
 * @param signature arbitrary data from a peer.
 * @returns n + 1 scalars of 32 bytes, little-endian; undefined for malformed bytes.
 */
export function challengeChain(
  ring: Ring,
  event: Uint8Array,
  message: Uint8Array,
  signature: Uint8Array,
): Uint8Array[] | undefined {
  const occasion = occasionOf(ring, schemeByte, event, message);
  const parts = partsOf(ring, signature);
  return typeof parts === 'string' ? undefined : chainOf(ring, occasion, parts).map(scalarBytes);
}

/** Decodes c_0, then the tag, then the responses. */
const partsOf = ({ size }: Ring, signature: Uint8Array) => readParts(signature, 1 + size, 1);

function chainOf(ring: Ring, occasion: Occasion, { scalars, element, elementBytes }: SignatureParts): bigint[] {
  const [first, ...responses] = scalars;
  const base = tabled(baseOf(occasion));
  const tag = tabled(element);
  const challenge = challenger(occasion, elementBytes);
  const chain = [first!];
  for (const [i, s] of responses.entries()) chain.push(challenge(...commitments(ring, i, s, chain[i]!, base, tag)));
  return chain;
}

const baseOf = ({ context }: Occasion): Point => hashToGroup(baseDomain, context);

const commitments = (ring: Ring, i: number, s: bigint, c: bigint, base: Point, tag: Point): [Point, Point] => [
  combine(s, Point.BASE, c, ring.points[i]!),
  combine(s, base, c, tag),
];

const challenger =
  ({ context, messageHash }: Occasion, tag: Uint8Array) =>
  (left: Point, right: Point): bigint =>
    hashToScalar(challengeDomain, context, tag, messageHash, left.toBytes(), right.toBytes());
