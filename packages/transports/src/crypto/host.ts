/** The primitives outside Node. In Node, `host.node.ts` replaces this file. */
export { nobleCrypto as hostCrypto } from './noble.ts';
