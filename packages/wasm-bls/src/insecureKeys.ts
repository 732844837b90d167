import { sha256 } from '@noble/hashes/sha2.js';
import { requireMethods } from './arguments.ts';
import type { Bls } from './bls.ts';

/**
 * INSECURE, only for simulations, tests and clusters on one machine: derives 32 bytes for one purpose of one node. The
 * same seed always gives the same bytes, so that a run can be reproduced anywhere. The derived bytes are therefore not
 * secret.
 *
 * @param purpose - purpose of the bytes, for example `signing` or `network`.
 * @param seed - seed of the run.
 * @param index - index of the node.
 */
export function insecureSeed(purpose: string, seed: number, index: number): Uint8Array {
  // The word `rehearsal` predates the current name of the function. A different word would change the keys in every
  // pinned run.
  return sha256(new TextEncoder().encode(`tutti rehearsal ${purpose} ${seed} ${index}`));
}

/** INSECURE, like {@link insecureSeed}: returns one test node's BLS secret key, 32 bytes, big-endian. */
export function insecureSecretKey(bls: Bls, seed: number, index: number): Uint8Array {
  requireMethods('bls', bls, ['keyGen']);
  return bls.keyGen(insecureSeed('signing', seed, index));
}

/** Returns the message that the nodes of a simulated run sign, in UTF-8. */
export function testMessage(seed: number): Uint8Array {
  return new TextEncoder().encode(`tutti simulation, seed ${seed}`);
}
