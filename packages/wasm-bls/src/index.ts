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
  minIkmBytes,
  possessionDst,
  publicKeyBytes,
  publicKeyPointBytes,
  secretKeyBytes,
  signatureBytes,
  signatureDst,
  signaturePointBytes,
} from './suite.ts';
export { type ContributionVerifier, inThreadVerifier, VerifierError } from './verifier.ts';
