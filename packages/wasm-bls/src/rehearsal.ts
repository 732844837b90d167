import { sha256 } from '@noble/hashes/sha2.js';
import type { Bls } from './bls.ts';

/**
 * 32 bytes for one purpose of one node of a rehearsal: the same for the same seed, so that a run can be seen again in any room, and
 * therefore no secret at all. Only simulations and clusters on one machine use them.
 */
export function rehearsalSeed(purpose: string, seed: number, index: number): Uint8Array {
  return sha256(new TextEncoder().encode(`tutti rehearsal ${purpose} ${seed} ${index}`));
}

/** The BLS secret key of one node of a rehearsal, 32 bytes. */
export function rehearsalSecretKey(bls: Bls, seed: number, index: number): Uint8Array {
  return bls.keyGen(rehearsalSeed('signing', seed, index));
}

/** What the nodes of a simulated rehearsal sign. */
export function rehearsalMessage(seed: number): Uint8Array {
  return new TextEncoder().encode(`tutti simulation, seed ${seed}`);
}
