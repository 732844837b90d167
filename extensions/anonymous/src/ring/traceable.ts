import { concatBytes } from '@noble/curves/utils.js';
import { combine, Fl, hashToGroup, hashToScalar, Point, scalarBytes, tabled } from './group.ts';
import { areSame } from './marks.ts';
import { bytesOfParts, type Occasion, occasionOf, readParts } from './parts.ts';
import type { Ring } from './ring.ts';
import type { RingMark, RingRelation, RingScheme, VerifiedRingSignature } from './scheme.ts';
import { signerOf } from './signer.ts';

const schemeByte = 2;
const baseDomain = 'TUTTI_RING_TRACEABLE_BASE_ristretto255_XMD:SHA-512_R255MAP_RO_';
const messageDomain = 'TUTTI_RING_TRACEABLE_MESSAGE_ristretto255_XMD:SHA-512_R255MAP_RO_';
const challengeDomain = 'TUTTI_RING_TRACEABLE_CHALLENGE_';

/**
 * Traceable ring signatures (Fujisaki, Suzuki: PKC 2007, section 4), in ristretto255. Each member j = 1..n has a tag
 * sigma_j on the line A0 + j A1, where A0 is hashed from the message. The signer's own tag is x h; it determines A1 and
 * thereby all other tags, whose discrete logarithms are unknown. If one member signs two messages, the two lines cross
 * at the member's own tag. All members see the crossing and its position. The proof that one of the tags is correct is
 * due to Cramer, Damgård and Schoenmakers. A signature has the form
 *
 * A1 32 | c_1 32 | ... | c_n 32 | z_1 32 | ... | z_n 32 (32 + 64 n bytes)
 */
export const traceable: RingScheme = {
  name: 'traceable',

  signatureBytes: (members) => bytesOfParts(2 * members),

  multiplicationsPerMember: 5,

  sign(ring, secretKey, event, message, entropy) {
    const n = ring.size;
    const { secret, index, draw, ...occasion } = signerOf(ring, schemeByte, event, message, secretKey, entropy);
    const base = tabled(baseOf(occasion));
    const start = tabled(startOf(occasion));
    const own = base.multiply(secret);
    const slope = tabled(own.subtract(start).multiply(Fl.inv(BigInt(index + 1))));

    const nonce = draw(0);
    const challenges = ring.keys.map((_, i) => (i === index ? 0n : draw(1 + i)));
    const responses = ring.keys.map((_, i) => (i === index ? 0n : draw(1 + n + i)));
    const left: Uint8Array[] = [];
    const right: Uint8Array[] = [];
    for (const [i, point] of ring.points.entries()) {
      const [c, z] = [challenges[i]!, responses[i]!];
      const isOwn = i === index;
      left.push((isOwn ? Point.BASE.multiply(nonce) : combine(z, Point.BASE, c, point)).toBytes());
      right.push((isOwn ? base.multiply(nonce) : onLine(z, base, c, start, slope, i)).toBytes());
    }
    const sum = challengeOf(occasion, start, slope.toBytes(), left, right);
    const others = challenges.reduce((total, c) => Fl.add(total, c), 0n);
    challenges[index] = Fl.sub(sum, others);
    responses[index] = Fl.sub(nonce, Fl.mul(challenges[index]!, secret));
    return concatBytes(slope.toBytes(), ...challenges.map(scalarBytes), ...responses.map(scalarBytes));
  },

  verify(ring, event, message, signature): VerifiedRingSignature {
    const occasion = occasionOf(ring, schemeByte, event, message);
    const parts = partsOf(ring, signature);
    if (typeof parts === 'string') return { ok: false, code: parts };
    const { scalars, elementBytes } = parts;
    const n = ring.size;
    const base = tabled(baseOf(occasion));
    const start = tabled(startOf(occasion));
    const slope = tabled(parts.element);
    const left: Uint8Array[] = [];
    const right: Uint8Array[] = [];
    let sum = 0n;
    for (const [i, point] of ring.points.entries()) {
      const [c, z] = [scalars[i]!, scalars[n + i]!];
      sum = Fl.add(sum, c);
      left.push(combine(z, Point.BASE, c, point).toBytes());
      right.push(onLine(z, base, c, start, slope, i).toBytes());
    }
    if (challengeOf(occasion, start, elementBytes, left, right) !== sum) return { ok: false, code: 'equation' };
    return { ok: true, mark: { message: occasion.messageHash, tags: tagsOf(start, slope, n) } };
  },

  claimed(ring, event, message, signature): RingMark | undefined {
    const occasion = occasionOf(ring, schemeByte, event, message);
    const parts = partsOf(ring, signature);
    if (typeof parts === 'string') return undefined;
    return { message: occasion.messageHash, tags: tagsOf(startOf(occasion), parts.element, ring.size) };
  },

  relate(a: RingMark, b: RingMark): RingRelation {
    const shared = a.tags.findIndex((tag, i) => areSame(tag, b.tags[i]!));
    if (shared === -1) return { kind: 'independent' };
    if (areSame(a.message, b.message)) return { kind: 'repeated' };
    // Two different lines cross once.
    return { kind: 'double', signer: shared };
  },
};

/** Decodes the slope A1, then the challenges, then the responses. */
const partsOf = ({ size }: Ring, signature: Uint8Array) => readParts(signature, 2 * size, 0);

const baseOf = ({ context }: Occasion): Point => hashToGroup(baseDomain, context);

/** Returns A0, hashed from the message. */
const startOf = ({ context, messageHash }: Occasion): Point => hashToGroup(messageDomain, context, messageHash);

/** Returns z h + c sigma_i, where sigma_i = A0 + (i + 1) A1 for the member with index i. */
function onLine(z: bigint, base: Point, c: bigint, start: Point, slope: Point, i: number): Point {
  return combine(c, start, Fl.mul(c, BigInt(i + 1)), slope).add(base.multiplyUnsafe(z));
}

function tagsOf(start: Point, slope: Point, members: number): Uint8Array[] {
  const tags: Uint8Array[] = [];
  for (let tag = start.add(slope); tags.length < members; tag = tag.add(slope)) tags.push(tag.toBytes());
  return tags;
}

function challengeOf(
  { context }: Occasion,
  start: Point,
  slope: Uint8Array,
  left: readonly Uint8Array[],
  right: readonly Uint8Array[],
): bigint {
  return hashToScalar(challengeDomain, context, start.toBytes(), slope, ...left, ...right);
}
