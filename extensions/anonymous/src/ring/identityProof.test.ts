import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { identityKeyGen } from './identityKey.ts';
import { proveIdentity, verifyIdentity } from './identityProof.ts';

const [mine, other] = [1, 2].map((fill) => identityKeyGen(insecureSeed('identity', 1, fill)));
const holder = new Uint8Array(48).fill(3);
const entropy = new Uint8Array(32).fill(4);

it('a proof belongs to exactly its key and its holder', () => {
  const proof = proveIdentity(mine!.secretKey, holder, entropy);
  expect(proof.length).toBe(96);
  expect(verifyIdentity(mine!.publicKey, holder, proof)).toBe(true);
  expect(verifyIdentity(other!.publicKey, holder, proof)).toBe(false);
  expect(verifyIdentity(mine!.publicKey, new Uint8Array(48), proof)).toBe(false);
  expect(verifyIdentity(mine!.publicKey, holder, proof.subarray(1))).toBe(false);
  expect(verifyIdentity(new Uint8Array(32), holder, proof)).toBe(false);
});
