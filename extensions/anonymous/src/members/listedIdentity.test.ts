import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { identityKeyGen } from '../ring.ts';
import { listIdentity, verifyListedIdentity } from './listedIdentity.ts';

/** v1.03 section 5.3: the keys by which a member is publicly known. */
it('a listed identity belongs to exactly one BLS key and one identity key', async () => {
  const bls = await loadBls({ engine: 'wasm' });
  const [mine, other] = [1, 2].map((index) => {
    const secretKey = insecureSecretKey(bls, 1, index);
    const identity = identityKeyGen(insecureSeed('identity', 1, index));
    return { key: bls.publicKey(secretKey), listed: listIdentity(bls, secretKey, identity) };
  });
  const { key, listed } = mine!;
  const check = (changes: Partial<typeof listed>, blsKey = key) =>
    verifyListedIdentity(bls, blsKey, { ...listed, ...changes }, 7);
  expect(() => check({})).not.toThrow();
  // Entry with another member's identity key, one's own BLS key, and all data published by the other member.
  const { publicKey, proof, binding } = other!.listed;
  expect(() => check({ publicKey, proof })).toThrow(/member 7: proof: expected a signature by its identity key/);
  // Entry with one's own identity key and another member's BLS key; the binding signature cannot be created.
  expect(() => check({ binding })).toThrow(/member 7: binding: expected a signature by its BLS key/);
  expect(() => check({ publicKey })).toThrow(expect.objectContaining({ code: 'bad-identity' }));
  expect(() => check({}, other!.key)).toThrow(/proof/);
  expect(() => check({ binding: binding.subarray(1) })).toThrow(/binding/);
});
