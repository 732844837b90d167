/**
 * Transports, and the parts of a peer. {@link openTransport} opens UDP or TCP, {@link openWebRtc} data channels, and
 * {@link MemoryNetwork} is a network within a process. {@link Channel} authenticates and seals their packets, and
 * {@link Runtime} runs the node of any protocol over it. Pages import `@tutti/transports/browser`, which has the parts
 * that run without Node.
 *
 * @example
 * ```js
 * import { openUdp } from '@tutti/transports/raw';
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
export { monotonicClock, monotonicNs } from './runtime/monotonicClock.ts';
export {
  type OpenTransportOptions,
  type OptionsOf,
  openTransport,
  type TransportKind,
} from './sockets/openTransport.ts';
export { openUdp, type UdpOptions } from './sockets/udp.ts';
export type { SocksProxy } from './tcp/dial.ts';
export { openTcp, type TcpCounters, type TcpOptions, type TcpTransport } from './tcp/tcp.ts';
export type { IceServer } from './webrtc/link.ts';
export { loadNodeRtc } from './webrtc/nodeRtc.ts';
export type { LinkCounters } from './webrtc/webrtc.ts';
