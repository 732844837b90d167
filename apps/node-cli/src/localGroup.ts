import type { WireForm } from '@tutti/core';
import { batched, Group, type GroupOptions, nodeCrypto, type OpenVerifier } from '@tutti/transports';
import { type Bls, inThreadVerifier } from '@tutti/wasm-bls';

/** Checks what the peers of this process ask for on this thread, in batches. */
export function onThisThread(bls: Bls): OpenVerifier {
  return (publicKeys, message) => batched(inThreadVerifier(bls.round(publicKeys, message)));
}

/** A registry for the peers of this process, which share keys, rounds and batches of checks on this thread. */
export function localGroup(bls: Bls, entries: GroupOptions['entries'], form: WireForm = 'compressed'): Group {
  return new Group({
    crypto: nodeCrypto,
    kernel: bls,
    entries,
    openVerifier: onThisThread(bls),
    form,
  });
}
