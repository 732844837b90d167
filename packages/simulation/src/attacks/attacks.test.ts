import type { CountingScheme } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { sampled } from '../../../../tests/sampled.ts';
import { attacked, expectAllReached, fairnessMs } from '../../test/attacked.ts';
import { createSimulation, simulate } from '../run/simulation.ts';
import { defaultScenario } from '../scenario/scenario.ts';
import type { SimulationOptions } from '../world/extensions.ts';
import { createPriorities } from '../world/honest.ts';
import { createWorld } from '../world/world.ts';
import { attacks, choosesIds, delayBoundMs } from './attacks.ts';

it('attacks choose their ids only in the known ways', () => {
  const chosen = attacks.filter(({ name }) => choosesIds(name)).map(({ name }) => name);
  expect(chosen).toEqual(['first-places', 'isolate']);
  const placed = ['1of16:invalid@ahead', 'invalid@ahead', undefined].map((plan) => choosesIds('across-levels', plan));
  expect(placed).toEqual([true, false, false]);
});

for (const { name } of attacks.filter(({ against }) => against.includes('handel'))) {
  describe(`v1.03 4.3: under attack by ${name}`, () => {
    it('all honest nodes reach the threshold if they verify in batches on overloaded machines', () => {
      for (const seed of sampled([1, 2], 1))
        expectAllReached(attacked(name, { nodes: 32, seed, verifyMs: 60, batch: 8, attacks: [{ name, share: 0.3 }] }));
    });

    it('all honest nodes reach the threshold, with every claim checked after every event', () => {
      const shares = { 13: 0.3, 16: 0.45, 64: 0.3, 100: 0.1, 150: 0.3 };
      for (const [size, share] of sampled(Object.entries(shares), 2))
        for (const seed of Number(size) > 64 ? [Number(size)] : sampled([1, 2, 3], 1))
          expectAllReached(attacked(name, { nodes: Number(size), seed, attacks: [{ name, share }] }));
    });

    it('all honest nodes reach it with dead nodes, late starts and independent priorities too', () => {
      expectAllReached(attacked(name, { dead: 0.2, desyncMs: 200, priorities: 'independent' }));
    });

    it('v1.03 2.4, fairness: every honest contribution reaches every honest node', () => {
      expect(fairnessMs(name)).toBeLessThan(20_000);
    });

    it('contributions are released: the number of retained contributions is bounded while nodes verify almost nothing', () => {
      const held = (giveUpAfterMs: number): number => {
        const scenario = { ...defaultScenario, nodes: 64, verifyMs: 3000, attacks: [{ name, share: 0.3 }] };
        const simulation = createSimulation(scenario, { giveUpAfterMs });
        while (simulation.advance(100_000));
        return (simulation.scheme as CountingScheme).held;
      };
      expect(held(16_000)).toBeLessThan(2 * held(4000));
    });

    it('one seed gives one run', () => {
      const [one, again, other] = [5, 5, 6].map((seed) => attacked(name, { seed, nodes: 40 }));
      expect(again).toEqual(one);
      expect(other!.digest).not.toBe(one!.digest);
    });
  });
}

it('v1.03 2.3: a network adversary that delays messages requires no nodes, and costs a bounded delay per step for logarithmically many steps', () => {
  for (const nodes of [16, 64, 256]) {
    const plain = attacked('silent', { nodes, attacks: [] });
    const delayed = attacked('delay', { nodes, attacks: [{ name: 'delay', share: 0 }] });
    expect(delayed.live).toBe(nodes);
    expectAllReached(delayed);
    const more = delayed.timeToThresholdMs.mean - plain.timeToThresholdMs.mean;
    expect(more).toBeGreaterThan(delayBoundMs);
    expect(more).toBeLessThan(delayBoundMs * Math.log2(nodes));
  }
});

it.each([1, 2, 3])(
  'v1.03 8.1: the eclipse of San Fermín: by one node in ten takes half of the contributions from most nodes, unlike silence: %i',
  (seed) => {
    const under = (name: string) =>
      attacked(name, { attacks: [{ name, share: 0.1 }], protocol: 'san-fermin', seed, threshold: 0.5 });
    const { reached, live } = under('eclipse');
    expect(reached).toBeLessThan(live / 2);
    expectAllReached(under('silent'));
  },
);

describe('v1.03 2.3: equivocation', () => {
  it('sends valid, invalid, light and heavy contributions of one node to different peers', () => {
    const result = attacked('equivocate', { nodes: 128 });
    expectAllReached(result);
    expect(result.checkedInvalid.mean).toBeGreaterThan(0);
    expect(result.refused.blacklisted).toBeGreaterThan(0);
  });

  it('2.4: has no effect, because no node assumes that two others received the same', () => {
    for (const seed of [1, 2, 3])
      expect(fairnessMs('equivocate', { seed })).toBeLessThan(1.5 * fairnessMs('silent', { seed }));
  });
});

describe('v1.03 4.1 (3): heavy contributions that exclude an honest node', () => {
  it.each([1, 2, 3])('2.4, 3.1: its contribution reaches all late, and never with aggregates only: %i', (seed) => {
    expect(fairnessMs('censor', { seed })).toBeGreaterThan(fairnessMs('silent', { seed }));
    expect(() => fairnessMs('censor', { seed, without: ['individual-contributions'] }, 10_000)).toThrow(
      'expected an output with every live honest node',
    );
  });

  it.each(['flood', 'invalid', 'malformed'])('contain no forged contribution of another attack: %s', (name) => {
    const scenario = {
      ...defaultScenario,
      nodes: 64,
      attacks: [
        { name: 'censor', share: 0.2 },
        { name, share: 0.2 },
      ],
    };
    const { attack } = createWorld(scenario, createPriorities(scenario));
    const verdicts = new Set<boolean>();
    const around: SimulationOptions['around'] =
      ({ scheme }) =>
      (_id, port, make) => {
        const node = make(port);
        const hear = node.onMessage.bind(node);
        node.onMessage = (from, level, aggregate, individual, flags) => {
          if (attack[from] === 0) verdicts.add((scheme as CountingScheme).verify(aggregate));
          hear(from, level, aggregate, individual, flags);
        };
        return node;
      };
    simulate(scenario, { around });
    expect([...verdicts]).toEqual([true]);
  });

  it('3.1: aggregates only are sufficient without censorship', () => {
    expect(fairnessMs('silent', { without: ['individual-contributions'] })).toBeLessThan(2000);
  });
});
