import { identityStatement } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import { type RoundPlan, roundSession } from './plan.ts';

const digest = new Uint8Array(32).fill(7);
const plan: RoundPlan = { number: 3, message: new TextEncoder().encode('m'), seed: new Uint8Array(32) };
const sessionOf = (fields: Partial<RoundPlan>, of = digest) =>
  toHex(roundSession(nodeCrypto, of, { ...plan, ...fields }));

describe('roundSession', () => {
  it('contains all values that the nodes of a round agree on', () => {
    expect(sessionOf({})).toBe(sessionOf({ message: plan.message.slice(), priorities: 'independent' }));
    const others = [
      sessionOf({}),
      sessionOf({ number: 4 }),
      sessionOf({ seed: new Uint8Array(32).fill(8) }),
      sessionOf({ seed: new Uint8Array(32).fill(9) }),
      sessionOf({ priorities: 'shifted' }),
      sessionOf({ message: new TextEncoder().encode('n') }),
      sessionOf({}, new Uint8Array(32)),
    ];
    expect(new Set(others).size).toBe(7);
  });

  it.each([0, 2 ** 53 - 1])('accepts round %d', (number) => {
    expect(sessionOf({ number })).not.toBe(sessionOf({}));
  });

  it.each([-1, 0.5, 2 ** 53, Number.NaN])('refuses round %d', (number) => {
    expect(() => sessionOf({ number })).toThrow(/^round: expected an integer/);
  });

  it.each([0, 31, 33])('refuses a seed of %d bytes', (length) => {
    expect(() => sessionOf({ seed: new Uint8Array(length) })).toThrow(/^seed: expected 32 bytes, got/);
  });

  it('refuses the statement of an identity as message', () => {
    const message = identityStatement(new Uint8Array(48), new Uint8Array(32));
    expect(() => sessionOf({ message })).toThrow(expect.objectContaining({ code: 'reserved-message' }));
  });
});
