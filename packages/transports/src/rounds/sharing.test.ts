import { expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { rememberedSecrets } from '../crypto/suite.ts';
import { roundSession } from './plan.ts';

it.each([
  [{ number: -1 }, 'round: expected an integer from 0 to 2^53 - 1, got -1'],
  [{ number: 0.5 }, 'round: expected an integer from 0 to 2^53 - 1, got 0.5'],
  [{ number: 2 ** 53 }, 'round: expected an integer from 0 to 2^53 - 1, got 9007199254740992'],
  [
    { message: new TextEncoder().encode('tutti identity v1\0 and more') },
    'round 1: the message is an identity statement, which must not be signed',
  ],
  [{ message: 'x' }, 'message: expected a Uint8Array, got a text of 1 characters'],
  [{ seed: new Uint8Array(31) }, 'seed: expected 32 bytes, got 31'],
])('refuses a plan out of range, and names the value: %j', (fields, message) => {
  const right = { number: 2 ** 53 - 1, message: new Uint8Array(3), seed: new Uint8Array(32) };
  const session = (plan: object) => roundSession(nodeCrypto, new Uint8Array(32), plan as typeof right);
  expect(session(right)).toHaveLength(32);
  expect(() => session({ ...right, number: 1, ...fields })).toThrow(message);
});

it('computes the shared secret of each pair of keys once', () => {
  let agreed = 0;
  const crypto = rememberedSecrets({
    ...nodeCrypto,
    keyAgreement: (secret) => {
      const { publicKey, sharedSecret } = nodeCrypto.keyAgreement(secret);
      const counted = (key: Uint8Array) => {
        agreed++;
        return sharedSecret(key);
      };
      return { publicKey, sharedSecret: counted };
    },
  });
  const secrets = [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill));
  const agreements = secrets.map((secret) => crypto.keyAgreement(secret));
  const shared = agreements.flatMap((one) => agreements.map(({ publicKey }) => one.sharedSecret(publicKey)));
  // With three nodes, each pair agrees once, and each node agrees with itself.
  expect(agreed).toBe(6);
  expect(shared[1]).toEqual(shared[3]);
  expect(crypto.keyAgreement(secrets[0]!)).toBe(agreements[0]);
  expect(crypto.keyAgreement(secrets[0]!).sharedSecret(new Uint8Array(32))).toBeUndefined();
});
