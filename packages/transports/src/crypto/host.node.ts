/** The primitives in Node, where the package's `imports` put this file in the place of `host.ts`. */
export { nodeCrypto as hostCrypto } from './node.ts';
