import { mechanisms } from '@tutti/core';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { drawAttacks, drawFault, drawRun } from '../../test/drawnRuns.ts';
import { createSimulation } from '../run/simulation.ts';

/** Whether a run keeps its claims; else which it breaks, where and when. */
function verdict(scenario: ReturnType<typeof drawRun>, until: 'fairness' | 'threshold'): unknown {
  const simulation = createSimulation(scenario, { checkers: true, until, giveUpAfterMs: 1500 });
  return outcomeOf(() => {
    while (simulation.advance(1 << 16));
    return simulation.events;
  });
}

it.each(mechanisms)('without %s the first claim that breaks is the one it was, and where and when', (mechanism) => {
  const pins = drawn(6, (draw, seed) => {
    const run = drawRun(draw, seed, { nodes: draw.integer(8, 30), without: [mechanism] });
    return verdict(draw.chance(0.7) ? drawAttacks(draw, run) : run, draw.one(['fairness', 'threshold']));
  });
  expect(pins).toMatchSnapshot();
});

it('runs with all mechanisms keep their claims, attacked and with faults', () => {
  const pins = drawn(16, (draw, seed) => {
    const run = drawRun(draw, seed, { without: [] });
    const faults = draw.list(draw.integer(0, 2), () => drawFault(draw, run.nodes));
    return verdict({ ...(draw.chance(0.5) ? drawAttacks(draw, run) : run), faults }, 'threshold');
  });
  expect(
    pins.every((events) => typeof events === 'number'),
    `${pins}`,
  ).toBe(true);
  expect(digestOf(pins)).toMatchInlineSnapshot(`"207b9ddf35bb"`);
});
