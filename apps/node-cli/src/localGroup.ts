import { batched, Group, type GroupOptions, nodeCrypto } from '@tutti/transports';
import { type Bls, inThreadVerifier } from '@tutti/wasm-bls';

/** A registry for the peers of this process, which share keys, rounds and batches of checks on this thread. */
export function localGroup(bls: Bls, entries: GroupOptions['entries']): Group {
  return new Group({
    crypto: nodeCrypto,
    kernel: bls,
    entries,
    openVerifier: (publicKeys, message) => batched(inThreadVerifier(bls.round(publicKeys, message))),
  });
}
