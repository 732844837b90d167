/**
 * Groups whose members sign messages together. {@link joinGroup} lets a registry's members sign any bytes, several
 * messages at a time. The result is a certificate that `verifyCertificate` of `@tutti/certificates` accepts. The module
 * runs in browsers and in Node, and requires `@tutti/transports` to be installed. A {@link SignedLog} records the
 * signed messages; `openSignedLog` of `@tutti/certificates/log` stores the log in a file.
 *
 * @example
 * ```js
 * import { verifyCertificate } from '@tutti/certificates';
 * import { joinGroup } from '@tutti/certificates/groups';
 * import { MemoryNetwork, networkKey, nobleCrypto } from '@tutti/transports';
 * import { loadBls } from '@tutti/wasm-bls';
 *
 * const [kernel, memory] = [await loadBls(), new MemoryNetwork()];
 * const draw = () => crypto.getRandomValues(new Uint8Array(32));
 * const members = [5n, 3n, 2n].map((weight) => ({
 *   weight,
 *   secretKey: kernel.keyGen(draw()),
 *   network: networkKey(nobleCrypto),
 *   transport: memory.open(),
 * }));
 * const entries = members.map(({ weight, secretKey, network, transport }) => ({
 *   publicKey: kernel.publicKey(secretKey),
 *   networkKey: network.publicKey,
 *   endpoint: transport.local,
 *   weight,
 * }));
 * const registry = { entries };
 * const bytes = new TextEncoder().encode('block 17');
 * const groups = await Promise.all(
 *   members.map(({ secretKey, network, transport }) => {
 *     const key = { secretKey, networkSecret: network.secret };
 *     return joinGroup({ registry, key, kernel, transport, approve: () => true });
 *   }),
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
export { CertifyingGroup, type CertifyOptions, joinGroup } from './groups/joinGroup.ts';
export type { GroupRegistry, JoinGroupOptions, ReadyOptions, SigningKernel } from './groups/joinOptions.ts';
export type { RequestRefusal } from './groups/requests.ts';
export type { ApprovalRefusal } from './groups/signable.ts';
export type { Certified, MemberRecord } from './groups/storedCertificates.ts';
export { memorySignedLog, type SignedLog, type SignedStatement } from './log/signedLog.ts';
