import { expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { rememberedSecrets } from './rememberedSecrets.ts';

const publicKeyOf = (fill: number) => nodeCrypto.keyAgreement(new Uint8Array(32).fill(fill)).publicKey;

it('computes the shared secret of a pair once for any number of sessions', () => {
  let computed = 0;
  let agreements = 0;
  const counting: CryptoSuite = {
    ...nodeCrypto,
    keyAgreement(secret) {
      agreements++;
      const agreement = nodeCrypto.keyAgreement(secret);
      return {
        publicKey: agreement.publicKey,
        sharedSecret(publicKey) {
          computed++;
          return agreement.sharedSecret(publicKey);
        },
      };
    },
  };
  const remembered = rememberedSecrets(counting);
  const [mine, other] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  for (let session = 0; session < 3; session++) {
    const agreement = remembered.keyAgreement(mine.slice());
    expect(agreement.publicKey).toEqual(publicKeyOf(1));
    for (const peer of [5, 6, 5])
      expect(agreement.sharedSecret(publicKeyOf(peer))).toEqual(
        nodeCrypto.keyAgreement(mine).sharedSecret(publicKeyOf(peer)),
      );
    // A key of low order gives no shared secret, and the computation is not repeated either.
    expect(agreement.sharedSecret(new Uint8Array(32))).toBeUndefined();
  }
  expect([computed, agreements]).toEqual([3, 1]);
  // The other end of a pair that shares the cache already has the secret.
  expect(remembered.keyAgreement(new Uint8Array(32).fill(5)).sharedSecret(publicKeyOf(1))).toEqual(
    nodeCrypto.keyAgreement(mine).sharedSecret(publicKeyOf(5)),
  );
  expect(computed).toBe(3);
  expect(remembered.keyAgreement(other).sharedSecret(publicKeyOf(5))).toEqual(
    nodeCrypto.keyAgreement(other).sharedSecret(publicKeyOf(5)),
  );
});
