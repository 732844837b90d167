import { expect, it } from 'vitest';
import { type Draw, drawn } from '../../../tests/digests.ts';
import { attacks } from '../src/attacks/attacks.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';
import { drawFault } from './drawnRuns.ts';
import { firstDifference, runOf } from './twoHandels.ts';

/** Fails with a message that shows the scenario and the first event that differs. */
function expectAlike(scenario: Scenario, options: SimulationOptions): void {
  if (runOf('readable', scenario, options) === runOf('packed', scenario, options)) return;
  expect.fail(firstDifference(scenario, options));
}

/** Draws a scenario of a few nodes that both implementations support: no batches, and no mechanism switched off. */
function drawWorld(draw: Draw, seed: number): Scenario {
  const nodes = draw.chance(0.04) ? draw.integer(65, 130) : draw.integer(2, 40);
  const names = attacks.filter(({ against }) => against.includes('handel')).map(({ name }) => name);
  return {
    ...defaultScenario,
    seed,
    nodes,
    network: draw.one(['aws', 'constant:20', 'constant:0', 'mixed:20,200,0.25']),
    tree: draw.one(['spread', 'packed']),
    branching: draw.one([2, 2, 4, 8]),
    priorities: draw.one(['shifted', 'independent']),
    weights: draw.one(['equal', 'equal', 'pareto:1.2', `${nodes - 1}x10,1x70`]),
    prioritiesBy: draw.one(['weight', 'id']),
    threshold: draw.one([0.51, 0.75, 0.99, 1]),
    dead: draw.one([0, 0, 0.1, 0.3]),
    absent: draw.one([0, 0, 0, 1]),
    absentMs: 400,
    desyncMs: draw.one([0, 0, 200]),
    periodMs: draw.one([20, 11.5]),
    levelStartMs: draw.one([50, 20, 0]),
    fastPath: draw.one([0, 1, 10]),
    backOff: draw.chance(0.8),
    verifyMs: draw.one([0.5, 4, 15, 60]),
    window: draw.one(['relative', 'paper']),
    attacks: draw.chance(0.5) ? [] : [{ name: draw.one(names), share: draw.one([0.1, 0.3]) }],
    faults: draw.chance(0.6) ? [] : draw.list(draw.integer(1, 2), () => drawFault(draw, nodes)),
  };
}

it('the readable node of Handel and the packed one make the same calls in each of 300 random networks, and retain as many contributions at the end', () => {
  drawn(300, (draw, seed) => {
    const until = draw.one(['threshold', 'fairness'] as const);
    expectAlike(drawWorld(draw, seed), { until, giveUpAfterMs: 1200 });
  });
});
