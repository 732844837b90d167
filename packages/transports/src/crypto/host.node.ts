/** The primitives in Node. The package's `imports` replace `host.ts` with this file. */
export { nodeCrypto as hostCrypto } from './node.ts';
