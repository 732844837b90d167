/**
 * Drives a protocol node in real time. {@link Group} is a registry with its keys, {@link Peer} one node of it, round
 * after round; {@link openTransport} opens UDP or TCP, {@link openWebRtc} data channels, and {@link Channel}
 * authenticates and seals whatever they carry. `examples/peers.mjs` puts them together.
 *
 * @example
 * ```js
 * import { openUdp } from '@tutti/transports';
 *
 * const [alice, bob] = [await openUdp({ host: '127.0.0.1' }), await openUdp({ host: '127.0.0.1' })];
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
export * from './browser.ts';
export { nodeCrypto } from './crypto/node.ts';
export type { RegistryScheme } from './registry/registryFile.ts';
export type { Card, IdentityKernel } from './room/card.ts';
export { monotonicClock, monotonicNs } from './runtime/clock.ts';
export type { AdmissionRefusal } from './signalling/admission.ts';
export { defaultHubLimits, type HubLimits } from './signalling/hub.ts';
export { type SignallingRefusal, signallingRefusals } from './signalling/messages.ts';
export {
  attachSignalling,
  type SignallingServer,
  type SignallingServerOptions,
  signallingPath,
} from './signalling/server.ts';
export {
  type OpenTransportOptions,
  openTransport,
  type TransportKind,
} from './sockets/openTransport.ts';
export { openUdp, type UdpOptions } from './sockets/udp.ts';
export type { SocksProxy } from './tcp/socks.ts';
export { openTcp, type TcpCounters, type TcpOptions, type TcpTransport } from './tcp/tcp.ts';
export { listenError } from './transport/listenError.ts';
export type { IceServer } from './webrtc/link.ts';
export { loadNodeRtc } from './webrtc/nodeRtc.ts';
export type { LinkCounters } from './webrtc/webrtc.ts';
