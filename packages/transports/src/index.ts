export * from './browser.ts';
export { monotonicClock, monotonicNs } from './clock.ts';
export { nodeCrypto } from './crypto/node.ts';
export { type OpenTransportOptions, openTransport, TRANSPORT_KINDS, type TransportKind } from './openTransport.ts';
export { type RegistryTransport, registryTransports } from './registryAddress.ts';
export { formatRegistry, type ListedEntry, parseRegistry, refuseDuplicates } from './registryFile.ts';
export { openUdp, type UdpOptions } from './udp.ts';
