/**
 * The part of `@tutti/transports/raw` that runs without Node, for pages. {@link openWebRtc} and {@link openBroadcast}
 * carry packets between pages, {@link MemoryNetwork} within one. Pages find each other with {@link joinSignalling} and
 * {@link joinTabs}. {@link Channel} seals their packets.
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
export { type BroadcastOptions, openBroadcast } from './broadcast/broadcast.ts';
export {
  type Answer,
  Channel,
  type ChannelOptions,
  type ChannelRefusal,
  isBoundToIncarnation,
  type Opened,
} from './channel/channel.ts';
export type { FragmentRefusal } from './channel/fragments.ts';
export { sessionId } from './channel/session.ts';
export { Counts } from './counts.ts';
export { nobleCrypto } from './crypto/noble.ts';
export type { CryptoSuite, KeyAgreement } from './crypto/suite.ts';
export { HostilePort } from './rounds/hostilePort.ts';
export type { Clock } from './runtime/clock.ts';
export { clockFromNow } from './runtime/clock.ts';
export {
  Runtime,
  type RuntimeCounts,
  type RuntimeOptions,
  type RuntimeReport,
  type SignedOutput,
} from './runtime/runtime.ts';
export { type JoinOptions, joinSignalling, type WebSocketLike } from './signalling/client.ts';
export { type LastingSignallingOptions, lastingSignalling } from './signalling/lastingSignalling.ts';
export type { PeerSignals, Signalling, SignallingEvent } from './signalling/signalling.ts';
export { joinTabs, type TabsOptions } from './signalling/tabs.ts';
export { delayed, type Impairment, impaired, noImpairment } from './transport/impairment.ts';
export { MemoryNetwork, type MemoryOptions } from './transport/memory.ts';
export type { PacketListener, Transport, TransportCounters } from './transport/transport.ts';
export { openWebRtc, type WebRtcOptions, type WebRtcTransport } from './webrtc/webrtc.ts';
