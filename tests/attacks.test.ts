import { MultiSignatureScheme, type Tree } from '@tutti/core';
import { attacks } from '@tutti/core/adversary';
import { defaultScenario, simulate } from '@tutti/core/simulation';
import { insecureSecretKey, loadBls, testMessage } from '@tutti/wasm-bls';
import { afterAll, describe, expect, it } from 'vitest';

const nodes = 8;
const bls = await loadBls();
const message = testMessage(1);
const secrets = Array.from({ length: nodes }, (_, id) => insecureSecretKey(bls, 1, id));
const signatures = secrets.map((secret) => bls.sign(secret, message));
const round = bls.round(
  secrets.map((secret) => bls.publicKey(secret)),
  message,
);
afterAll(() => round.free());

const scheme = (tree: Tree) => {
  const made = new MultiSignatureScheme({ tree, kernel: bls, verifier: round });
  return { scheme: made, individual: (id: number) => made.individual(id, signatures[id]!) };
};

describe('v1.03 4.3: under attack, with real BLS signatures, every claim checked', () => {
  for (const { name } of attacks.filter(({ against }) => against.includes('handel'))) {
    it(`${name}: the same run as with the scheme that counts`, () => {
      const scenario = { ...defaultScenario, nodes, attacks: [{ name, share: 0.3 }] };
      const result = simulate({ ...scenario, scheme: 'bls' }, { checkers: true, scheme });
      expect(result).toMatchObject({ live: 6, reached: 6 });
      expect(result.digest).toBe(simulate(scenario).digest);
    });
  }
});
