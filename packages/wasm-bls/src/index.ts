export type {
  Bls,
  BlsRound,
  ContributionClaim,
  Decoded,
  KeptKey,
  KeptPoint,
  KeptSignature,
  PointFault,
  PointStore,
  ReadClaims,
  ReadPoint,
  SignatureForm,
  SignedMessage,
} from './bls.ts';
export { insecureSecretKey, insecureSeed, testMessage } from './insecureKeys.ts';
export type { KernelSource } from './kernelModule.ts';
export { type KernelName, type LoadOptions, loadBls } from './load.ts';
export { BlsLoadError } from './loadError.ts';
export { roundVerdicts } from './roundVerdicts.ts';
export {
  MIN_IKM_BYTES,
  POSSESSION_DST,
  PUBLIC_KEY_BYTES,
  PUBLIC_KEY_POINT_BYTES,
  SECRET_KEY_BYTES,
  SIGNATURE_BYTES,
  SIGNATURE_DST,
  SIGNATURE_POINT_BYTES,
} from './suite.ts';
export { type ContributionVerifier, inThreadVerifier, VerifierError } from './verifier.ts';
