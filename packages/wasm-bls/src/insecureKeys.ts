import { sha256 } from '@noble/hashes/sha2.js';
import { requireMethods } from './arguments.ts';
import type { Bls } from './bls.ts';

/**
 * Insecure test keys start here: 32 bytes for one purpose of one node, the same for the same seed, so that a run can be
 * reproduced anywhere, and therefore no secret at all. Only simulations, tests and clusters on one machine use them.
 */
export function insecureSeed(purpose: string, seed: number, index: number): Uint8Array {
  // The word is older than the function's name; with another, every pinned run would have other keys.
  return sha256(new TextEncoder().encode(`tutti rehearsal ${purpose} ${seed} ${index}`));
}

/** The insecure BLS secret key of one test node, 32 bytes. */
export function insecureSecretKey(bls: Bls, seed: number, index: number): Uint8Array {
  requireMethods('bls', bls, ['keyGen']);
  return bls.keyGen(insecureSeed('signing', seed, index));
}

/** What the nodes of a simulated run sign. */
export function testMessage(seed: number): Uint8Array {
  return new TextEncoder().encode(`tutti simulation, seed ${seed}`);
}
