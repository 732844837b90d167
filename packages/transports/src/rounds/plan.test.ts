import { describe, expect, it } from 'vitest';
import { nobleCrypto } from '../crypto/noble.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { toHex } from '../hex.ts';
import { identityStatement } from '../identity.ts';
import { type RoundPlan, roundSeed, roundSession } from './plan.ts';

const digest = new Uint8Array(32).fill(7);
const plan: RoundPlan = { number: 3, message: new TextEncoder().encode('m'), seed: 9 };
const sessionOf = (fields: Partial<RoundPlan>, of = digest) =>
  toHex(roundSession(nodeCrypto, of, { ...plan, ...fields }));

describe('roundSeed', () => {
  it('follows from registry and round, whichever library computes it', () => {
    expect(roundSeed(nodeCrypto, digest, 3)).toBe(roundSeed(nobleCrypto, digest, 3));
    const seeds = [3, 4, 33].flatMap((round) => [
      roundSeed(nodeCrypto, digest, round),
      roundSeed(nodeCrypto, new Uint8Array(32), round),
    ]);
    expect(new Set(seeds).size).toBe(6);
    for (const seed of seeds) expect(seed).toBe(seed >>> 0);
  });
});

describe('roundSession', () => {
  it('names all that the nodes of a round agree on', () => {
    expect(sessionOf({})).toBe(sessionOf({ message: plan.message.slice() }));
    const others = [
      sessionOf({}),
      sessionOf({ number: 4 }),
      sessionOf({ seed: 10 }),
      sessionOf({ message: new TextEncoder().encode('n') }),
      sessionOf({}, new Uint8Array(32)),
    ];
    expect(new Set(others).size).toBe(5);
  });

  it.each([-1, 0.5, 2 ** 53, Number.NaN])('refuses round %d', (number) => {
    expect(() => sessionOf({ number })).toThrow(/^round: expected an integer/);
  });

  it.each([-1, 2 ** 32, 1.5])('refuses seed %d', (seed) => {
    expect(() => sessionOf({ seed })).toThrow(/^seed: expected an integer/);
  });

  it("refuses to have an identity's statement signed", () => {
    const message = identityStatement(new Uint8Array(48), new Uint8Array(32));
    expect(() => sessionOf({ message })).toThrow(expect.objectContaining({ code: 'message-is-identity' }));
  });
});
