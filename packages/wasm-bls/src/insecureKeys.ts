import { sha256 } from '@noble/hashes/sha2.js';
import { requireMethods } from './arguments.ts';
import type { Bls } from './bls.ts';

/**
 * INSECURE, for simulations, tests and clusters on one machine only: derives 32 bytes for one purpose of one node. The
 * same seed gives the same bytes, so that a run can be reproduced anywhere. They are therefore not secret.
 *
 * @param purpose for example `signing` or `network`. @param seed seed of the run. @param index index of the node.
 */
export function insecureSeed(purpose: string, seed: number, index: number): Uint8Array {
  // The word `rehearsal` is older than the function's name. Another word would change the keys of every pinned run.
  return sha256(new TextEncoder().encode(`tutti rehearsal ${purpose} ${seed} ${index}`));
}

/** INSECURE, as {@link insecureSeed}: returns the BLS secret key of one test node, 32 bytes, big-endian. */
export function insecureSecretKey(bls: Bls, seed: number, index: number): Uint8Array {
  requireMethods('bls', bls, ['keyGen']);
  return bls.keyGen(insecureSeed('signing', seed, index));
}

/** Returns the message that the nodes of a simulated run sign, in UTF-8. */
export function testMessage(seed: number): Uint8Array {
  return new TextEncoder().encode(`tutti simulation, seed ${seed}`);
}
