/**
 * BLS12-381 multi-signatures with public keys of 48 bytes in G1 and signatures of 96 bytes in G2, or with the groups
 * exchanged (`variant: 'min-sig'`). {@link loadBls} loads blst compiled to WebAssembly, noble-curves, or native blst
 * (only in Node and with `min-pk`), with the same interface, {@link Bls}. A round ({@link BlsRound}) prepares a
 * registry's keys to verify contributions; {@link inThreadVerifier} verifies contributions singly or in batches.
 *
 * Before you aggregate keys of other parties, verify their proofs of possession (`provePossession`,
 * `verifyPossession`).
 *
 * @example
 * ```js
 * import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
 *
 * const bls = await loadBls();
 * const message = new TextEncoder().encode('tutti');
 * const secrets = [0, 1, 2].map((index) => insecureSecretKey(bls, 1, index));
 * const publicKeys = secrets.map((secret) => bls.publicKey(secret));
 * const multiSignature = bls.aggregateSignatures(secrets.map((secret) => bls.sign(secret, message)));
 * console.log(multiSignature.length, bls.fastAggregateVerify(publicKeys, message, multiSignature));
 * ```
 *
 * ```text
 * 96 true
 * ```
 *
 * @packageDocumentation
 */
export type { Bls, PointStore, SignedMessage } from './bls.ts';
export { type Ciphersuite, ciphersuite, type PossessionCiphersuite, type Scheme } from './ciphersuite.ts';
export type { CommitteeKernel, KeyCommittee, SumMethod } from './committee.ts';
export { insecureSecretKey, insecureSeed, testMessage } from './insecureKeys.ts';
export type { KernelSource } from './kernelModule.ts';
export { type BlsOptions, type Engine, isNativeInstalled, type LoadOptions, loadBls, loadCommittees } from './load.ts';
export { BlsLoadError } from './loadError.ts';
export type { Decoded, KeptKey, KeptPoint, KeptSignature, PointFault, ReadPoint, SignatureForm } from './points.ts';
export { type BlsRound, type ContributionClaim, type ReadClaims, roundVerdicts } from './round.ts';
export {
  possessionDst,
  publicKeyBytes,
  type Suite,
  secretKeyBytes,
  signatureBytes,
  signatureDst,
  suites,
  type Variant,
} from './suite.ts';
export { type BlsVerifier, inThreadVerifier, VerifierError } from './verifier.ts';
