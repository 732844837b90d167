import type { Endpoint } from '@tutti/core';
import { type Bls, insecureSecretKey, insecureSeed } from '@tutti/wasm-bls';
import { networkKey } from '../src/channel/networkKey.ts';
import { nodeCrypto } from '../src/crypto/node.ts';

/** Returns a registry entry with the insecure keys of an index. Entries with the same `node` have the same network key. */
export const entryOf = (bls: Bls, index: number, endpoint: Endpoint, node = index) => ({
  publicKey: bls.publicKey(insecureSecretKey(bls, 1, index)),
  networkKey: networkKey(nodeCrypto, insecureSeed('network', 1, node)).publicKey,
  endpoint,
});
