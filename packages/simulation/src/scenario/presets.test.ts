import { paperHandelConfig } from '@tutti/core';
import { beforeAll, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { loadNetwork } from '../engine/network/network.ts';
import { simulate } from '../run/simulation.ts';
import { configOf } from '../world/honest.ts';
import { scenarioPresets } from './presets.ts';
import { defaultScenario, validateScenario } from './scenario.ts';
import { decodeScenario, encodeScenario } from './scenarioLink.ts';
import type { Scenario } from './scenarioType.ts';

beforeAll(() => loadNetwork('cities'));

const { nimiq, alpenglow } = scenarioPresets;
const seeds = isWhole ? [1, 2, 3] : [1];
const last = (scenario: Scenario) =>
  Math.max(...seeds.map((seed) => simulate({ ...scenario, seed }).timeToThresholdMs.max));

it.each(Object.entries(scenarioPresets))(
  '%s is a scenario that a link can express, in which all live nodes reach the threshold',
  (_, preset) => {
    validateScenario(preset);
    expect(decodeScenario(encodeScenario(preset))).toEqual({ scenario: preset, notices: [] });
    for (const seed of seeds) {
      const { reached, live } = simulate({ ...preset, seed }, { checkers: preset.protocol === 'handel' });
      expect(reached).toBe(live);
    }
  },
);

it('paper: switches off every departure of the node and of the scenario', () => {
  const { paper } = scenarioPresets;
  const { threshold: _, ...config } = configOf(paper, 1);
  expect(config).toEqual(paperHandelConfig);
  expect([paper.priorities, paper.tree]).toEqual(['independent', 'packed']);
  // All other fields have their defaults.
  const own = { priorities: 0, tree: 0, window: 0, backOff: 0, without: 0 };
  expect({ ...paper, ...own }).toEqual({ ...defaultScenario, ...own });
});

it("nimiq: its 500 and 400 ms are most of the last validator's time, and silent nodes cost it more than the paper's values", () => {
  const paper = scenarioPresets['nimiq-paper'];
  expect(last(nimiq)).toBeGreaterThan(3 * last(paper));
  expect(last({ ...nimiq, periodMs: 20 })).toBeLessThan(last(nimiq));
  const silent = { attacks: [{ name: 'silent', share: 0.25 }] };
  const [cost, ofPaper] = [last({ ...nimiq, ...silent }) - last(nimiq), last({ ...paper, ...silent }) - last(paper)];
  expect(cost).toBeGreaterThan(ofPaper);
});

it('alpenglow: a higher stake threshold takes longer, by the exact sum of stakes', () => {
  const times = [0.6, 0.8, 1].map((threshold) => {
    const { timeToThresholdMs, stake } = simulate({ ...alpenglow, threshold });
    expect(stake!.signed.min).toBeGreaterThanOrEqual(threshold);
    return timeToThresholdMs.mean;
  });
  expect(times).toEqual([...times].sort((a, b) => a - b));
});
