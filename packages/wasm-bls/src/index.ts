export { COEFFICIENT_BYTES, randomCoefficients } from './batch-coefficients.ts';
export { batchVerdicts } from './batch-verdicts.ts';
export type { Bls, BlsRound, ContributionClaim, Decoded, PointFault } from './bls.ts';
export { type KernelName, type LoadOptions, loadBls } from './load.ts';
export { BlsLoadError } from './load-error.ts';
export { rehearsalMessage, rehearsalSecretKey, rehearsalSeed } from './rehearsal.ts';
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
