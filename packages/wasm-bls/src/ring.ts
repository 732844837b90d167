export { blsLinkTag, type PublishedSignature, whoMadeBlsTag } from './ring/blsTag.ts';
export {
  type IdentityKeyPair,
  identityKeyFault,
  identityKeyGen,
  identityPublicKey,
  minIdentitySeedBytes,
} from './ring/identityKey.ts';
export { proveIdentity, verifyIdentity } from './ring/identityProof.ts';
export { challengeChain, linkable } from './ring/linkable.ts';
export { type DecodedRing, decodeRing, mostMembers, type Ring, type RingFault } from './ring/ring.ts';
export type {
  RingMark,
  RingRelation,
  RingScheme,
  RingSignatureFault,
  VerifiedRingSignature,
} from './ring/scheme.ts';
export { minEntropyBytes } from './ring/signer.ts';
export { traceable } from './ring/traceable.ts';
