/**
 * Everything of this package that runs without Node, for pages: what is here is in the other door too. {@link
 * openWebRtc} and {@link openBroadcast} carry packets between pages, {@link MemoryNetwork} within one, {@link Channel}
 * seals them, {@link LiveMember} is a member of a live room.
 *
 * @example
 * ```js
 * import { MemoryNetwork } from '@tutti/transports/browser';
 *
 * const network = new MemoryNetwork();
 * const [alice, bob] = [network.open(), network.open()];
 * const heard = new Promise((resolve) => bob.onPacket((bytes) => resolve(new TextDecoder().decode(bytes))));
 * alice.send(bob.local, new TextEncoder().encode('one voice'));
 * console.log(await heard);
 * await Promise.all([alice.close(), bob.close()]);
 * ```
 *
 * ```text
 * one voice
 * ```
 *
 * @packageDocumentation
 */
export type { RegistrationFault } from './anonymous/registration.ts';
export {
  makeRegistration,
  type RegistrationSigner,
  SignedRegistrations,
  type SignedRegistrationsOptions,
} from './anonymous/registrations.ts';
export {
  type RingCosts,
  type RingSignatureKind,
  type RingSignatureKinds,
  ringCosts,
  ringSizes,
} from './anonymous/ringCosts.ts';
export { ringsOf } from './anonymous/rings.ts';
export type { LinkMark, SetupRings } from './anonymous/setupRings.ts';
export {
  type SetupReport,
  SetupRuntime,
  type SetupRuntimeOptions,
} from './anonymous/setupRuntime.ts';
export { type BroadcastOptions, openBroadcast } from './broadcast/broadcast.ts';
export {
  type Answer,
  Channel,
  type ChannelOptions,
  type ChannelRefusal,
  isBoundToLife,
  type Opened,
} from './channel/channel.ts';
export type { FragmentRefusal } from './channel/fragments.ts';
export {
  identityStatement,
  looksLikeIdentity,
  registryBeaconStatement,
  ringKeyStatement,
} from './channel/identity.ts';
export { type NetworkKey, networkKey, networkKeyBytes } from './channel/networkKey.ts';
export { signWithNetworkKey, verifyNetworkKey } from './channel/networkSignature.ts';
export { sessionId } from './channel/session.ts';
export { Counts } from './counts.ts';
export { nobleCrypto } from './crypto/noble.ts';
export type { CryptoSuite, KeyAgreement } from './crypto/suite.ts';
export { fromHex, toHex } from './hex.ts';
export { type Refusal, type RoomRefusal, refusals } from './refusals.ts';
export {
  blsPublicKeyBytes,
  blsSignatureBytes,
  checkEntry,
  type RegistryEntry,
  type RegistryVerifier,
  registryDigest,
} from './registry/registry.ts';
export {
  canonicalHost,
  expectedHost,
  isHostFor,
  type RegistryTransport,
  registryTransports,
} from './registry/registryAddress.ts';
export {
  formatRegistry,
  type ListedEntry,
  parseRegistry,
  refuseDuplicates,
  refuseSharedAddresses,
} from './registry/registryFile.ts';
export { isLabel, type MemberIdentity, makeIdentity, maxLabelCharacters } from './room/card.ts';
export { LiveMember, type LiveMemberOptions, type LiveView } from './room/liveMember.ts';
export type { Progress, Proposal } from './room/messages.ts';
export type { MemberCondition, MemberView, RoomRound } from './room/room.ts';
export type { RoomResult, RoomStep } from './room/roomSession.ts';
export { shownText } from './room/shownText.ts';
export { Group, type GroupKernel, type GroupOptions } from './rounds/group.ts';
export { Peer, type PeerOptions, type PeerTotals } from './rounds/peer.ts';
export { fittingPeriodMs, type PeerConfig, periodPerNodeMs } from './rounds/period.ts';
export { type RoundPlan, roundSession } from './rounds/plan.ts';
export { rememberedSecrets } from './rounds/rememberedSecrets.ts';
export type { Round } from './rounds/round.ts';
export { roundMessage } from './rounds/roundMessage.ts';
export type { RoundReport, RoundSignature } from './rounds/roundSession.ts';
export { roundAt, roundStartMs } from './rounds/schedule.ts';
export {
  beaconCommitment,
  beaconOf,
  beaconOfMembers,
  type PriorityRows,
  placementOf,
  priorityRows,
  roundSeed,
} from './rounds/seed.ts';
export {
  batched,
  type OpenVerifier,
  type RoundVerifier,
  type VerifyingKernel,
} from './rounds/verifier.ts';
export type { Clock } from './runtime/clock.ts';
export { clockFromNow } from './runtime/clockFromNow.ts';
export {
  Runtime,
  type RuntimeCounts,
  type RuntimeOptions,
  type RuntimeReport,
  type SignedOutput,
} from './runtime/runtime.ts';
export type { ContributionVerifier, SignatureClaim } from './runtime/verification.ts';
export { type JoinOptions, joinSignalling, type WebSocketLike } from './signalling/client.ts';
export { type LastingSignallingOptions, lastingSignalling } from './signalling/lastingSignalling.ts';
export type { PeerSignals, Signalling, SignallingEvent } from './signalling/signalling.ts';
export { joinTabs, type TabsOptions } from './signalling/tabs.ts';
export { delayed } from './transport/emulation.ts';
export { type Impairment, impaired, noImpairment } from './transport/impairment.ts';
export { MemoryNetwork } from './transport/memory.ts';
export type { Endpoint, PacketListener, Transport, TransportCounters } from './transport/transport.ts';
export { openWebRtc, type WebRtcOptions, type WebRtcTransport } from './webrtc/webrtc.ts';
export { WorldError } from './worldError.ts';
