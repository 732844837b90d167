/** The primitives outside Node; in Node, `host.node.ts` replaces this file. */
export { nobleCrypto as hostCrypto } from './noble.ts';
