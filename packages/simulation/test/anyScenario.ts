import { exhaustedRules, graphVerifications } from '@tutti/core';
import * as fc from 'fast-check';
import { Draw } from '../../../tests/drawn.ts';
import { loadNetwork } from '../src/engine/network/network.ts';
import { defaultScenario, protocolNames, type Scenario } from '../src/scenario/scenario.ts';
import { drawAttacks, drawFault, drawRun } from './drawnRuns.ts';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });

const network = fc.oneof(
  fc.constantFrom('aws', 'aws-blocks', 'aws-blocks:20', 'distance', 'mixed:20,200,0.25'),
  fc.constantFrom('cities', 'cities-by-distance'),
  fc.integer({ min: 0, max: 300 }).map((latency) => `constant:${latency}`),
);

/** Generates any runnable scenario. A field may differ from its default unless it belongs to another protocol. */
export function anyScenario(limits: { readonly nodes: number }): fc.Arbitrary<Scenario> {
  const given = fc.record({
    protocol: fc.constantFrom(...protocolNames),
    nodes: fc.integer({ min: 8, max: limits.nodes }),
    threshold: number(0.01, 1),
    network,
    periodMs: number(5, 60),
    levelStartMs: number(0, 100),
    verifyMs: number(0, 8),
    authenticated: fc.boolean(),
    completeGraph: fc.record({ verification: fc.constantFrom(...graphVerifications) }),
    sanFermin: fc.record({
      candidates: fc.integer({ min: 1, max: 4 }),
      replyTimeoutMs: number(0.001, 400),
      exhausted: fc.constantFrom(...exhaustedRules),
    }),
    gossip: fc.record({
      of: fc.constantFrom('individuals' as const, 'aggregates' as const),
      degree: fc.integer({ min: 4, max: 9 }),
    }),
  });
  return fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), given).map(([seed, fields]) => {
    const draw = new Draw(seed);
    const run = drawRun(draw, seed, fields);
    const { protocol, nodes } = run;
    const drawn = draw.chance(0.5) ? run : drawAttacks(draw, run);
    const { completeGraph, sanFermin, gossip, ...defaults } = defaultScenario;
    const { backOff, branching, batch, window, without, prioritiesBy } = defaults;
    return {
      ...drawn,
      attacks: drawn.attacks.map((one) =>
        one.name === 'across-levels' ? { ...one, plan: 'light@0/1invalid@front+2mixed@100~2.5/-' } : one,
      ),
      faults: draw.list(draw.integer(0, 2), () => drawFault(draw, nodes)),
      // Priorities drawn by weight are limited to 8,192 nodes, and a tree to 31 levels.
      ...(nodes > 8192 && { prioritiesBy: 'id' as const }),
      ...(nodes > 16_384 && run.branching === 8 && { branching: 4 as const }),
      ...(protocol !== 'handel' && { backOff, branching, batch, window, without, prioritiesBy }),
      ...(protocol !== 'complete-graph' && { completeGraph }),
      ...(protocol !== 'san-fermin' && { sanFermin }),
      ...(protocol !== 'gossip' && { gossip }),
    };
  });
}
