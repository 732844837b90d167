/** The primitives where there is no Node; `host.node.ts` stands for this file where there is. */
export { nobleCrypto as hostCrypto } from './noble.ts';
