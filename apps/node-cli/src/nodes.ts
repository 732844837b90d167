/** `@tutti/node-cli/nodes`: what a node of a registry is made from at a terminal: key files, registries, transports. */
export { bindFlag } from './node/addressFlags.ts';
export { type Identity, identify } from './node/identity.ts';
export { listenFlag } from './node/addressFlags.ts';
export { loadRegistry } from './node/loadRegistry.ts';
export { openNodeTransport } from './node/openNodeTransport.ts';
export { proxyFlag } from './node/addressFlags.ts';
export { formatSecrets, parseSecrets, secretsPathOf } from './node/secretsFile.ts';
export { insecureSecrets, type NodeSecrets, registryEntry } from './nodeKeys.ts';
