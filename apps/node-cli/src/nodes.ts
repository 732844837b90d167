/**
 * `@tutti/node-cli/nodes`: the parts with which a command runs a node of a registry: key files, registries, transports.
 */
export { bindFlag, listenFlag, proxyFlag } from './node/addressFlags.ts';
export { type Identity, identify, requireOwnKey } from './node/identity.ts';
export { loadRegistry } from './node/loadRegistry.ts';
export { openNodeTransport } from './node/openNodeTransport.ts';
export { formatSecrets, parseSecrets, secretsPathOf } from './node/secretsFile.ts';
export { insecureSecrets, type NodeSecrets, registryEntry } from './nodeKeys.ts';
