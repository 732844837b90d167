import { RandomStream } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { maxLevels, maxParts, readPlan } from '../../attacks/composition.ts';
import { simulate } from '../../run/simulation.ts';
import { validateScenario } from '../../scenario/scenario.ts';
import { AttackSearch, type AttackSearchOptions, type IdRule, type Trial, triedAs } from './attackSearch.ts';
import { changedComposition } from './draw.ts';

const options = { nodes: 32, share: 0.4, seed: 1, from: ['light@0/1invalid@0'] };

/** Returns results for the proposed trials, with no stuck node and with the given mean and maximum times. */
const results = (trials: readonly Trial[], ...times: readonly (readonly [meanMs: number, maxMs: number])[]) =>
  trials.map((trial, index) => ({ ...trial, stuck: 0, meanMs: times[index]![0], maxMs: times[index]![1] }));

it('changedComposition changes one property, within the limits for levels and parts, and never to an empty plan', () => {
  const random = new RandomStream(1, 'changed');
  const part = { what: 'invalid', count: undefined, when: 'front' } as const;
  const most = Array.from({ length: maxLevels }, () => Array.from({ length: maxParts }, () => part));
  const sizes = new Set<number>();
  for (const composition of [most, [[part]]])
    for (let time = 0; time < 300; time++) {
      const made = changedComposition(composition, random);
      sizes.add(made.length);
      expect(made.length).toBeLessThanOrEqual(maxLevels);
      expect(made.length).toBeGreaterThan(0);
      for (const parts of made) expect(parts.length).toBeLessThanOrEqual(maxParts);
    }
  expect([...sizes].sort((a, b) => a - b)).toEqual([1, 2, maxLevels - 1, maxLevels]);
});

describe('AttackSearch', () => {
  it('begins with the given plans, and proposes no plan twice', () => {
    const trials = new AttackSearch(options).propose(300);
    expect(trials[0]).toEqual({ plan: 'light@0/1invalid@0', verifyMs: 4 });
    expect(new Set(trials.map(({ plan }) => plan)).size).toBe(300);
  });

  it('sometimes changes the cost of a check: a seed determines one search of plans and costs', () => {
    const search = new AttackSearch({ ...options, verifyMs: [4, 15] });
    search.learn(results(search.propose(4), [900, 1000], [899, 1000], [898, 1000], [897, 1000]));
    const costs = Array.from({ length: 40 }, () => search.propose(1)[0]!.verifyMs);
    expect(costs.map((ms) => (ms === 4 ? '.' : 'x')).join('')).toBe('.xx..xxx.x.xxx.xx....xxxx..xxxx.x..x.x.x');
  });

  it.each([
    ['mean', [1, 2, 0]],
    ['last', [1, 0, 2]],
  ] as const)('stores the worst plans by %s time, those that never finish before slow ones', (objective, order) => {
    const search = new AttackSearch({ ...options, objective });
    const trials = search.propose(3);
    const [first, second, third] = results(trials, [900, 1000], [100, 100], [950, 960]);
    search.learn([first!, { ...second!, stuck: 1 }, third!]);
    expect(search.classes[0]!.worst.map(({ plan }) => plan)).toEqual(order.map((index) => trials[index]!.plan));
  });

  it('counts the honest nodes that are stuck in a run', () => {
    const search = new AttackSearch(options);
    const [trial] = search.propose(1) as [Trial];
    expect(triedAs(trial, simulate(search.scenario(trial), { giveUpAfterMs: 0 }))).toMatchObject({ stuck: 20 });
  });

  it('moves nodes only if ids are chosen, and separates results by ids and by cost', () => {
    const learnt = (ids: IdRule): { search: AttackSearch; trials: Trial[] } => {
      const search = new AttackSearch({ ...options, ids, verifyMs: [4, 15], from: ['1of4:invalid@ahead'] });
      const trials: Trial[] = [];
      for (let generation = 0; generation < 40; generation++) {
        const proposed = search.propose(8);
        trials.push(...proposed);
        search.learn(results(proposed, ...proposed.map((_, index) => [index, index] as const)));
      }
      return { search, trials };
    };
    const placed = ({ plan }: Trial): boolean => readPlan(plan).placement !== undefined;
    const [drawn, chosen] = [learnt('drawn'), learnt('chosen')];
    expect(drawn.trials.filter(placed)).toEqual([]);
    for (const one of [true, false])
      expect(chosen.trials.filter((trial) => placed(trial) === one).length).toBeGreaterThan(80);
    expect(chosen.trials.filter(({ plan }) => /~\d+:/.test(plan)).length).toBeGreaterThan(0);
    for (const { ids, verifyMs, worst } of chosen.search.classes) {
      expect(worst.length).toBe(5);
      for (const tried of worst) expect([placed(tried), tried.verifyMs]).toEqual([ids === 'chosen', verifyMs]);
    }
    for (const trial of chosen.trials) expect(() => validateScenario(chosen.search.scenario(trial))).not.toThrow();
  });

  it('uses the configured world, and compares with silence without back-off, which may also delay silent nodes', () => {
    const world = { weights: 'pareto:1.2', threshold: 0.67, attackBy: 'lightest' } as const;
    const search = new AttackSearch({ ...options, world });
    const [trial] = search.propose(1) as [Trial];
    expect(search.scenario(trial)).toMatchObject({ ...world, nodes: 32, seed: 1, backOff: true });
    expect(search.silence(4)).toMatchObject({ ...world, nodes: 32, seed: 1, backOff: false });
  });

  it.each<readonly [wrong: Partial<AttackSearchOptions>, message: string]>([
    [{ nodes: 0 }, 'nodes: expected'],
    [{ share: 2 }, 'share of across-levels: expected'],
    [{ objective: 'max' as 'last' }, 'objective: expected mean or last, got'],
    [{ ids: 'choosen' as 'chosen' }, 'ids: expected drawn or chosen, got'],
    [{ verifyMs: [] }, 'verifyMs: expected at least one cost of a check, got'],
    [{ verifyMs: [-1] }, 'verifyMs: expected'],
    [{ ids: 'chosen', world: { weights: 'pareto:1.2', attackBy: 'heaviest' } }, 'attackBy with across-levels'],
  ])('refuses %j', (wrong, message) => expect(() => new AttackSearch({ ...options, ...wrong })).toThrow(message));
});
