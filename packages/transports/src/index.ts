/**
 * Signing with others over your own network. {@link Group} is a registry with its keys. {@link Peer} is one entry of
 * it, for round after round; it reports when enough members have signed. Runs in Node and in pages. Transports come
 * from `@tutti/transports/raw`, in pages from `@tutti/transports/browser`. `/rooms` has live rooms, `/parts` the parts
 * for other protocols, `/signalling` the server through which browsers meet, and `/compliance` checks for your own
 * transport.
 *
 * @example
 * ```js
 * import { Group, networkKey, Peer, roundMessage } from '@tutti/transports';
 * import { MemoryNetwork, nobleCrypto } from '@tutti/transports/browser';
 * import { loadBls } from '@tutti/wasm-bls';
 *
 * const [bls, memory] = [await loadBls(), new MemoryNetwork()];
 * const draw = () => crypto.getRandomValues(new Uint8Array(32));
 * const members = [0, 1, 2].map(() => ({
 *   secret: bls.keyGen(draw()),
 *   network: networkKey(nobleCrypto),
 *   transport: memory.open(),
 * }));
 * const entries = members.map(({ secret, network, transport }) => ({
 *   publicKey: bls.publicKey(secret),
 *   networkKey: network.publicKey,
 *   endpoint: transport.local,
 * }));
 * const group = new Group({ kernel: bls, entries });
 * const plan = { number: 1, message: roundMessage('an example', 1), seed: draw() };
 *
 * const peers = [];
 * const first = new Promise((onOutput, onFailure) => {
 *   for (const [index, { secret, network, transport }] of members.entries()) {
 *     const sign = (message) => bls.sign(secret, message);
 *     const mine = { group, index, networkSecret: network.secret, sign, transport, config: { threshold: 3 } };
 *     peers.push(new Peer({ ...mine, onOutput, onFailure }));
 *   }
 * });
 * for (const peer of peers) peer.open(plan);
 * for (const peer of peers) peer.start(plan.number);
 * const { output } = await first;
 * console.log(`signed by ${output.weight} of 3, in ${output.signature.length} bytes`);
 * await Promise.all(peers.map((peer) => peer.close()));
 * ```
 *
 * ```text
 * signed by 3 of 3, in 96 bytes
 * ```
 *
 * @packageDocumentation
 */

export { hostCrypto } from '#host-crypto';
export { type NetworkKey, networkKey, signWithNetworkKey, verifyNetworkKey } from './channel/networkKey.ts';
export type { CryptoSuite, KeyAgreement } from './crypto/suite.ts';
export { type Refusal, refusals } from './refusals.ts';
export { Group, type GroupOptions } from './rounds/group.ts';
export { Peer, type PeerOptions, type PeerTotals } from './rounds/peer.ts';
export {
  fittingPeriodMs,
  type PeerConfig,
  periodPerNodeMs,
  type RoundPlan,
  roundAt,
  roundMessage,
  roundSession,
  roundStartMs,
} from './rounds/plan.ts';
export { handelProtocol, type NodePlace, type RoundProtocol } from './rounds/protocol.ts';
export { rememberedSecrets } from './rounds/rememberedSecrets.ts';
export type { GroupKernel, Round } from './rounds/round.ts';
export type { RoundReport, RoundSignature } from './rounds/roundSession.ts';
export {
  beaconCommitment,
  beaconOf,
  beaconOfMembers,
  type PriorityRows,
  placementOf,
  priorityRows,
  roundSeed,
} from './rounds/seed.ts';
export { batched, type OpenVerifier, type RoundVerifier, type VerifyingKernel } from './rounds/verifier.ts';
export type { Clock } from './runtime/clock.ts';
export type { ContributionVerifier, SignatureClaim } from './runtime/verification.ts';
export type { PacketListener, Transport, TransportCounters } from './transport/transport.ts';
