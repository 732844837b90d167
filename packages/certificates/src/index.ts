/**
 * Certificates that any program can verify. {@link verifyCertificate} returns whether the signers of a certificate have
 * enough weight in a registry. {@link verifiedRegistry} reads a registry from a file's text and verifies its proofs,
 * {@link followRegistries} follows the registry's successors, and {@link convertCertificate} converts a certificate to
 * another format. This entry point opens no socket. The entry point `@tutti/certificates/groups` creates certificates,
 * and `@tutti/certificates/log` stores the log of signed messages in a file.
 *
 * @example
 * ```js
 * import { certificateRegistryDigest, encodeCertificate, messageHash, verifyCertificate } from '@tutti/certificates';
 * import { loadBls } from '@tutti/wasm-bls';
 *
 * const kernel = await loadBls();
 * const secrets = [1, 2, 3].map((byte) => kernel.keyGen(new Uint8Array(32).fill(byte)));
 * const networkKey = new Uint8Array(32).fill(9);
 * const registry = { entries: secrets.map((secret) => ({ publicKey: kernel.publicKey(secret), networkKey })) };
 * const bytes = new TextEncoder().encode('block 17');
 * const certificate = encodeCertificate({
 *   registry: certificateRegistryDigest(registry),
 *   epoch: 0n,
 *   message: messageHash(bytes),
 *   size: 3,
 *   bits: Uint8Array.of(0b111),
 *   signature: kernel.aggregateSignatures(secrets.map((secret) => kernel.sign(secret, bytes))),
 * });
 * console.log(verifyCertificate({ registry, bytes, certificate, kernel }).ok);
 * ```
 *
 * ```text
 * true
 * ```
 *
 * @packageDocumentation
 */
export {
  decodeSignedWarp,
  encodeSignedWarp,
  encodeWarpBits,
  encodeWarpMessage,
  verifySignedWarp,
  type WarpFault,
  type WarpMessage,
  type WarpSet,
  warpSetOf,
} from './formats/avalanche.ts';
export {
  type CertificateForm,
  type CertificateSubject,
  certificateForms,
  convertCertificate,
  g1ForEip2537,
  g2ForEip2537,
  readCertificate,
} from './formats/convert.ts';
export {
  type AttestationData,
  attestationDataRoot,
  attestationRoot,
  type Checkpoint,
  encodeAttestation,
  encodeSyncAggregate,
  type SszAttestation,
  signingRoot,
  syncAggregateRoot,
  syncCommitteeSize,
} from './formats/ssz.ts';
export { type MemberKey, memberKey, memberKeys } from './registry/memberKeys.ts';
export { canonicalHost, expectedHost, isHostFor } from './registry/registryAddress.ts';
export {
  formatRegistry,
  type ListedEntry,
  type ListedRegistry,
  parseRegistry,
  type RegistryScheme,
  readRegistry,
  refuseSharedAddresses,
  shareText,
  verifiedRegistry,
} from './registry/registryFile.ts';
export {
  type Keys,
  type ProvenRegistry,
  requireRegistry,
  type SharedKey,
  sharedKeys,
} from './registry/verifyRegistry.ts';
export {
  type Certificate,
  type CertificateFault,
  type CertificateKernel,
  type CertificateRegistry,
  type CertificateVerdict,
  certificateRegistryDigest,
  decodeCertificate,
  encodeCertificate,
  membersOf,
  messageHash,
  type VerifyCertificateOptions,
  verifyCertificate,
} from './verification/certificate.ts';
export {
  followRegistries,
  looksLikeSuccession,
  type Succession,
  successionStatement,
} from './verification/succession.ts';
