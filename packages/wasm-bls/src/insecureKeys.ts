import { sha256 } from '@noble/hashes/sha2.js';
import { requireMethods } from './arguments.ts';
import type { Bls } from './bls.ts';

/**
 * INSECURE, for simulations, tests and clusters on one machine only: 32 bytes for one purpose of one node. They are the
 * same for the same seed, so that a run can be reproduced anywhere, and so they are no secret at all.
 *
 * @param purpose such as `signing` or `network`. @param seed the run's. @param index the node's.
 */
export function insecureSeed(purpose: string, seed: number, index: number): Uint8Array {
  // The word is older than the function's name; with another, every pinned run would have other keys.
  return sha256(new TextEncoder().encode(`tutti rehearsal ${purpose} ${seed} ${index}`));
}

/** INSECURE, likewise: the BLS secret key of one test node, 32 bytes, big-endian. */
export function insecureSecretKey(bls: Bls, seed: number, index: number): Uint8Array {
  requireMethods('bls', bls, ['keyGen']);
  return bls.keyGen(insecureSeed('signing', seed, index));
}

/** What the nodes of a simulated run sign: UTF-8. */
export function testMessage(seed: number): Uint8Array {
  return new TextEncoder().encode(`tutti simulation, seed ${seed}`);
}
