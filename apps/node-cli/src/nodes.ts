/** `@tutti/node-cli/nodes`: what a node of a registry is made from at a terminal: key files, registries, transports. */
export { bindFlag, listenFlag, proxyFlag } from './node/addressFlags.ts';
export { type Identity, identify } from './node/identity.ts';
export { loadRegistry } from './node/loadRegistry.ts';
export { openNodeTransport } from './node/openNodeTransport.ts';
export { formatSecrets, parseSecrets, secretsPathOf } from './node/secretsFile.ts';
export { insecureSecrets, type NodeSecrets, registryEntry } from './nodeKeys.ts';
