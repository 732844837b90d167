export * from './browser.ts';
export { monotonicClock, monotonicNs } from './clock.ts';
export { nodeCrypto } from './crypto/node.ts';
export { type OpenTransportOptions, openTransport, TRANSPORT_KINDS, type TransportKind } from './openTransport.ts';
export { formatRegistry, parseRegistry } from './registry.ts';
export { openUdp, type UdpOptions } from './udp.ts';
