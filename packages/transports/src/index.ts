export * from './browser.ts';
export { nodeCrypto } from './crypto/node.ts';
export type { RegistryScheme } from './registry/registryFile.ts';
export type { Card, IdentityKernel } from './room/card.ts';
export type { SignatureClaim } from './rounds/verifier.ts';
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
  transportKinds,
} from './sockets/openTransport.ts';
export { openUdp, type UdpOptions } from './sockets/udp.ts';
export type { SocksProxy } from './tcp/socks.ts';
export { openTcp, type TcpCounters, type TcpOptions, type TcpTransport } from './tcp/tcp.ts';
export { listenError } from './transport/listenError.ts';
export type { IceServer } from './webrtc/link.ts';
export { loadNodeRtc } from './webrtc/nodeRtc.ts';
export type { LinkCounters } from './webrtc/webrtc.ts';
