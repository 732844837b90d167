import { insecureSeed } from '@tutti/wasm-bls';
import { decodeRing, type IdentityKeyPair, identityKeyGen, type Ring } from '../src/ring.ts';

/** Returns the ring of the given identities. @throws Error if their keys do not form a ring. */
export function ringOf(identities: readonly IdentityKeyPair[]): Ring {
  const read = decodeRing(identities.map(({ publicKey }) => publicKey));
  if (!read.ok) throw new Error(read.code);
  return read.ring;
}

/** Returns identities that are the same in every run. */
export const insecureIdentities = (count: number): IdentityKeyPair[] =>
  Array.from({ length: count }, (_, i) => identityKeyGen(insecureSeed('identity', 1, i + 1)));
