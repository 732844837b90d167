import { defaultHandelConfig, identityStatement } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { describe, expect, it } from 'vitest';
import { nodeCrypto } from '../crypto/node.ts';
import {
  fittingPeriodMs,
  peerConfig,
  type RoundPlan,
  roundAt,
  roundMessage,
  roundSession,
  roundStartMs,
} from './plan.ts';

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

  it.each([0, 2 ** 53 - 1])('accepts round %d', (number) => expect(sessionOf({ number })).not.toBe(sessionOf({})));

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

it('a round lasts from its start until just before the start of the next round', () => {
  expect(roundAt(0, 10_000)).toBe(0);
  expect(roundAt(9_999, 10_000)).toBe(0);
  expect(roundAt(10_000, 10_000)).toBe(1);
  for (const everyMs of [1, 250, 10_000, 86_400_000])
    for (const round of [0, 1, 17, 20_000]) {
      expect(roundAt(roundStartMs(round, everyMs), everyMs)).toBe(round);
      expect(roundAt(roundStartMs(round + 1, everyMs) - 1, everyMs)).toBe(round);
    }
});

it('a text gets the round number appended, a template gets it at its placeholder', () => {
  const text = (template: string, round: number) => new TextDecoder().decode(roundMessage(template, round));
  expect(text('tutti', 17)).toBe('tutti 17');
  expect(text('', 0)).toBe(' 0');
  expect(text('block {round} of chain {round}', 5)).toBe('block 5 of chain 5');
  expect(text('größer {Round}', 5)).toBe('größer {Round} 5');
});

it.each([
  [1, 20],
  [6, 20],
  [7, 21],
  [32, 96],
  [7.5, 23],
])('%d nodes per core get a period of %d ms', (nodes, periodMs) => expect(fittingPeriodMs(nodes)).toBe(periodMs));

it('an explicit period overrides the default, which depends on the number of peers in the process', () => {
  expect(peerConfig({ threshold: 7 }, 32)).toEqual({ ...defaultHandelConfig, threshold: 7, disseminationPeriodMs: 96 });
  const own = { threshold: 7, disseminationPeriodMs: 20, backOff: false };
  expect(peerConfig(own, 32)).toEqual({ ...defaultHandelConfig, ...own });
});
