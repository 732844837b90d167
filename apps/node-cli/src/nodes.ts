/**
 * `@tutti/node-cli/nodes`: the parts that a command needs to run a node of a registry: key files, registries and
 * transports.
 */
export { bindFlag, listenFlag, proxyFlag } from './node/addressFlags.ts';
export { formatSecrets, type Identity, identify, requireOwnKey, secretsPathOf } from './node/identity.ts';
export { loadRegistry } from './node/registryFile.ts';
export { openNodeTransport } from './node/runNode.ts';
export { insecureSecrets, type NodeSecrets, registryEntry } from './nodeKeys.ts';
