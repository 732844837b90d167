import { Group, type GroupOptions } from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';

/** A registry for the peers of this process, which share keys, rounds and batches of checks on this thread. */
export function localGroup(bls: Bls, entries: GroupOptions['entries']): Group {
  return new Group({ kernel: bls, entries });
}
