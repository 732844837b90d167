/**
 * Certificates that anybody can check: {@link joinGroup} has a registry's members sign any bytes, several messages at a
 * time, and {@link verifyCertificate} says whether enough of them did, by what they weigh. Runs in pages and in Node.
 * What was signed is remembered in a {@link SignedLog}; `openSignedLog` of `@tutti/transports/raw` keeps it in a file.
 *
 * @example
 * ```js
 * import { networkKey } from '@tutti/transports';
 * import { MemoryNetwork, nobleCrypto } from '@tutti/transports/browser';
 * import { joinGroup, verifyCertificate } from '@tutti/transports/certificates';
 * import { loadBls } from '@tutti/wasm-bls';
 *
 * const [kernel, memory] = [await loadBls(), new MemoryNetwork()];
 * const draw = () => crypto.getRandomValues(new Uint8Array(32));
 * const members = [5n, 3n, 2n].map((weight) => ({ weight, secretKey: kernel.keyGen(draw()), network: networkKey(nobleCrypto), transport: memory.open() }));
 * const entries = members.map(({ weight, secretKey, network, transport }) => ({
 *   publicKey: kernel.publicKey(secretKey),
 *   networkKey: network.publicKey,
 *   endpoint: transport.local,
 *   weight,
 * }));
 * const registry = { entries };
 * const bytes = new TextEncoder().encode('block 17');
 * const groups = await Promise.all(
 *   members.map(({ secretKey, network, transport }) =>
 *     joinGroup({ registry, key: { secretKey, networkSecret: network.secret }, kernel, transport, approve: () => true }),
 *   ),
 * );
 * const { certificate } = await groups[0].certify(bytes);
 * const verdict = verifyCertificate({ registry, bytes, certificate, kernel });
 * console.log(`valid: ${verdict.ok}, of a weight of at least 7: ${verdict.weight >= 7n}`);
 * await Promise.all(groups.map((group) => group.close()));
 * ```
 *
 * ```text
 * valid: true, of a weight of at least 7: true
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
} from './certificates/avalanche.ts';
export {
  type Certificate,
  type CertificateFault,
  type CertificateKernel,
  type CertificateRegistry,
  type CertificateVerdict,
  certificateRegistryDigest,
  decodeCertificate,
  defaultThreshold,
  encodeCertificate,
  membersOf,
  messageHash,
  type Share,
  type VerifyCertificateOptions,
  verifyCertificate,
} from './certificates/certificate.ts';
export {
  type CertificateForm,
  type CertificateSubject,
  certificateForms,
  convertCertificate,
  readCertificate,
} from './certificates/convert.ts';
export { g1ForEip2537, g2ForEip2537 } from './certificates/eip2537.ts';
export {
  type ApprovalRefusal,
  CertifyingGroup,
  type CertifyOptions,
  type GroupRegistry,
  type JoinGroupOptions,
  joinGroup,
  type SigningKernel,
} from './certificates/joinGroup.ts';
export type { Certified } from './certificates/keptCertificates.ts';
export type { MemberRecord } from './certificates/members.ts';
export { memorySignedLog, type SignedLog, type SignedStatement } from './certificates/signedLog.ts';
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
} from './certificates/ssz.ts';
export {
  followRegistries,
  looksLikeSuccession,
  type Succession,
  successionStatement,
} from './certificates/succession.ts';
export { verifiedRegistry } from './certificates/verifiedRegistry.ts';
export type { ProvenRegistry } from './registry/verifyRegistry.ts';
