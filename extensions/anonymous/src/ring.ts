/**
 * Ring signatures of identity keys, over ristretto255. A ring signature shows that some member of a ring signed, but
 * not which member. Two signatures of one member for one event can be linked. With {@link linkable}, two linked
 * signatures reveal nothing else; with {@link traceable}, they also identify the member.
 *
 * @example
 * ```js
 * import { decodeRing, identityKeyGen, traceable } from '@tutti/anonymous/ring';
 *
 * const random = () => crypto.getRandomValues(new Uint8Array(32));
 * const pairs = Array.from({ length: 4 }, () => identityKeyGen(random()));
 * const { ring } = decodeRing(pairs.map(({ publicKey }) => publicKey));
 * const [event, yes, no] = ['vote 1', 'yes', 'no'].map((text) => new TextEncoder().encode(text));
 * const marks = [yes, no].map((message) => {
 *   const signature = traceable.sign(ring, pairs[2].secretKey, event, message, random());
 *   return traceable.verify(ring, event, message, signature).mark;
 * });
 * console.log(traceable.relate(...marks));
 * ```
 *
 * ```text
 * { kind: 'double', signer: 2 }
 * ```
 *
 * @packageDocumentation
 */
export {
  type IdentityKeyPair,
  identityKeyGen,
  identityPublicKey,
} from './ring/identityKey.ts';
export { proveIdentity, verifyIdentity } from './ring/identityProof.ts';
export { challengeChain, linkable } from './ring/linkable.ts';
export { sharedTags } from './ring/marks.ts';
export { type DecodedRing, decodeRing, type Ring, type RingFault } from './ring/ring.ts';
export type {
  RingMark,
  RingRelation,
  RingScheme,
  RingSignatureFault,
  VerifiedRingSignature,
} from './ring/scheme.ts';
export { traceable } from './ring/traceable.ts';
