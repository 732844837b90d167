/**
 * Signing with others over your own network. {@link Group} is a registry with the keys of its members. {@link Peer} is
 * one entry of a registry, used for round after round; the peer reports when enough members have signed.
 * {@link Channel} seals packets, and {@link Runtime} runs the node of any protocol over a channel. {@link openWebRtc}
 * and {@link openBroadcast} carry packets between pages, and {@link MemoryNetwork} within a process. This package runs
 * in Node and in web pages. `@tutti/transports/node` provides UDP, TCP and the signalling server, `/rooms` provides
 * live rooms and Horn, and `/files` provides the file lock.
 *
 * @example
 * ```js
 * import { Group, MemoryNetwork, networkKey, nobleCrypto, Peer, roundMessage } from '@tutti/transports';
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
export { type BroadcastOptions, openBroadcast } from './broadcast/broadcast.ts';
export {
  type Answer,
  Channel,
  type ChannelOptions,
  type ChannelRefusal,
  isBoundToIncarnation,
  type Opened,
  sessionId,
} from './channel/channel.ts';
export { type FragmentRefusal, Reassembly, type ReassemblyOptions, splitMessage } from './channel/fragments.ts';
export {
  type NetworkKey,
  networkKey,
  networkSignatureBytes,
  signWithNetworkKey,
  verifyNetworkKey,
} from './channel/networkKey.ts';
export { nobleCrypto } from './crypto/noble.ts';
export { type CryptoSuite, type KeyAgreement, rememberedSecrets, requireSuite } from './crypto/suite.ts';
export { Counts, type Refusal, refusals } from './refusals.ts';
export { Group, type GroupKernel, type GroupOptions, type Round } from './rounds/group.ts';
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
export { HostilePort, handelProtocol, type NodePlace, type RoundProtocol } from './rounds/protocol.ts';
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
export { SharedTransport } from './rounds/sharedTransport.ts';
export { batched, type OpenVerifier, type RoundVerifier, type VerifyingKernel } from './rounds/verifier.ts';
export { type Clock, clockFromNow, type TimerClock, withTimers } from './runtime/clock.ts';
export { type LinkCounts, MemberLink, type MemberLinkOptions } from './runtime/memberLink.ts';
export {
  type ContributionVerifier,
  Runtime,
  type RuntimeCounts,
  type RuntimeOptions,
  type RuntimeReport,
  type SignatureClaim,
  type SignedOutput,
} from './runtime/runtime.ts';
export {
  type JoinOptions,
  joinSignalling,
  type LastingSignallingOptions,
  lastingSignalling,
  type WebSocketLike,
} from './signalling/client.ts';
export type { PeerSignals, Signalling, SignallingEvent } from './signalling/signalling.ts';
export { joinTabs, type TabsOptions } from './signalling/tabs.ts';
export { LastOf } from './transport/bounded.ts';
export { delayed, type Impairment, impaired, noImpairment } from './transport/impairment.ts';
export { MemoryNetwork, type MemoryOptions } from './transport/memory.ts';
export {
  type PacketListener,
  requireTransport,
  type Transport,
  type TransportCounters,
} from './transport/transport.ts';
export { inLaterTurn } from './transport/turnQueue.ts';
export type { IceServer } from './webrtc/link.ts';
export { type LinkCounters, openWebRtc, type WebRtcOptions, type WebRtcTransport } from './webrtc/webrtc.ts';
