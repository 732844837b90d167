import { defaultHandelConfig } from '@tutti/core';
import { expect, it } from 'vitest';
import { fittingPeriodMs, peerConfig } from './plan.ts';

it.each([
  [1, 20],
  [6, 20],
  [7, 21],
  [32, 96],
  [7.5, 23],
])('%d nodes per core get a period of %d ms', (nodes, periodMs) => {
  expect(fittingPeriodMs(nodes)).toBe(periodMs);
});

it('an explicit period overrides the default, which depends on the number of peers in the process', () => {
  expect(peerConfig({ threshold: 7 }, 32)).toEqual({ ...defaultHandelConfig, threshold: 7, disseminationPeriodMs: 96 });
  const own = { threshold: 7, disseminationPeriodMs: 20, backOff: false };
  expect(peerConfig(own, 32)).toEqual({ ...defaultHandelConfig, ...own });
});
