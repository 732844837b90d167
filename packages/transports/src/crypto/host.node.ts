/** The primitives in Node, where the package's `imports` replace `host.ts` by this file. */
export { nodeCrypto as hostCrypto } from './node.ts';
