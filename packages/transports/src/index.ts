export * from './browser.ts';
export { monotonicClock, monotonicNs } from './clock.ts';
export { nodeCrypto } from './crypto/node.ts';
export { listenError } from './listenError.ts';
export { type OpenTransportOptions, openTransport, TRANSPORT_KINDS, type TransportKind } from './openTransport.ts';
export type { RegistryScheme } from './registryFile.ts';
export type { Card, IdentityKernel } from './room/card.ts';
export type { SignatureClaim } from './rounds/verifier.ts';
export { defaultHubLimits, type HubLimits } from './signalling/hub.ts';
export {
  attachSignalling,
  SIGNALLING_PATH,
  type SignallingServer,
  type SignallingServerOptions,
} from './signalling/server.ts';
export type { SocksProxy } from './tcp/socks.ts';
export { openTcp, type TcpCounters, type TcpOptions, type TcpTransport } from './tcp/tcp.ts';
export { openUdp, type UdpOptions } from './udp.ts';
export type { IceServer } from './webrtc/link.ts';
export { loadNodeRtc } from './webrtc/nodeRtc.ts';
export type { LinkCounters } from './webrtc/webrtc.ts';
