export { blsLinkTag, type PublishedSignature, whoMadeBlsTag } from './ring/blsTag.ts';
export {
  type IdentityKeyPair,
  identityKeyFault,
  identityKeyGen,
  identityPublicKey,
  MIN_IDENTITY_SEED_BYTES,
} from './ring/identityKey.ts';
export { proveIdentity, verifyIdentity } from './ring/identityProof.ts';
export { challengeChain, linkable } from './ring/linkable.ts';
export { type DecodedRing, decodeRing, MOST_MEMBERS, type Ring, type RingFault } from './ring/ring.ts';
export type {
  RingMark,
  RingRelation,
  RingScheme,
  RingSignatureFault,
  VerifiedRingSignature,
} from './ring/scheme.ts';
export { MIN_ENTROPY_BYTES } from './ring/signer.ts';
export { traceable } from './ring/traceable.ts';
