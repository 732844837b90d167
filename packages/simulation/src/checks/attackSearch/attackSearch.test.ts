import { RandomStream } from '@tutti/core';
import { describe, expect, it } from 'vitest';
import { maxLevels, maxParts, readPlan } from '../../attacks/composition.ts';
import { simulate } from '../../run/simulation.ts';
import { validateScenario } from '../../scenario/scenario.ts';
import { AttackSearch, type IdRule, searchPatienceMs, type Trial, triedAs } from './attackSearch.ts';
import { changed } from './draw.ts';

const options = { nodes: 32, share: 0.4, seed: 1, from: ['light@0/1invalid@0'] };

function searched(plans: number, at = 4): AttackSearch {
  const search = new AttackSearch(options);
  while (search.tried < plans) {
    const proposed = search.propose(at);
    search.learn(
      proposed.map((trial) => triedAs(trial, simulate(search.scenario(trial), { giveUpAfterMs: searchPatienceMs }))),
    );
  }
  return search;
}

describe('changed', () => {
  it('changes one property, within the limits for levels and parts, and never to an empty plan', () => {
    const random = new RandomStream(1, 'changed');
    const part = { what: 'invalid', count: undefined, when: 'front' } as const;
    const most = Array.from({ length: maxLevels }, () => Array.from({ length: maxParts }, () => part));
    const sizes = new Set<number>();
    for (const composition of [most, [[part]]])
      for (let time = 0; time < 300; time++) {
        const made = changed(composition, random);
        sizes.add(made.length);
        expect(made.length).toBeLessThanOrEqual(maxLevels);
        expect(made.length).toBeGreaterThan(0);
        for (const parts of made) expect(parts.length).toBeLessThanOrEqual(maxParts);
      }
    expect([...sizes].sort((a, b) => a - b)).toEqual([1, 2, maxLevels - 1, maxLevels]);
  });
});

describe('AttackSearch', () => {
  it('begins with the given plans, and proposes no plan twice', () => {
    const search = new AttackSearch(options);
    const trials = search.propose(300);
    expect(trials[0]).toEqual({ plan: 'light@0/1invalid@0', verifyMs: 4 });
    expect(new Set(trials.map(({ plan }) => plan)).size).toBe(300);
  });

  it('sometimes changes the cost of a check: a seed determines one search of plans and costs', () => {
    const search = new AttackSearch({ ...options, verifyMs: [4, 15] });
    for (const [tried, trial] of search.propose(4).entries())
      search.learn([{ ...trial, stuck: 0, meanMs: 900 - tried, maxMs: 1000 }]);
    const costs = Array.from({ length: 40 }, () => search.propose(1)[0]!.verifyMs);
    expect(costs.map((ms) => (ms === 4 ? '.' : 'x')).join('')).toBe('.xx..xxx.x.xxx.xx....xxxx..xxxx.x..x.x.x');
  });

  it('keeps the worst plans, those that never finish before slow ones, and continues from them', () => {
    const search = new AttackSearch(options);
    const [a, b, c] = search.propose(3) as [Trial, Trial, Trial];
    search.learn([
      { ...a, stuck: 0, meanMs: 900, maxMs: 1000 },
      { ...b, stuck: 1, meanMs: 100, maxMs: 100 },
      { ...c, stuck: 0, meanMs: 950, maxMs: 960 },
    ]);
    expect(search.classes[0]!.worst.map(({ plan }) => plan)).toEqual([b, c, a].map(({ plan }) => plan));
    const before = searched(4).classes[0]!.worst[0]!;
    expect(searched(40).classes[0]!.worst[0]!.meanMs).toBeGreaterThanOrEqual(before.meanMs);
  });

  it('scores by the last node if that is the objective', () => {
    const search = new AttackSearch({ ...options, objective: 'last' });
    const [a, b] = search.propose(2) as [Trial, Trial];
    search.learn([
      { ...a, stuck: 0, meanMs: 900, maxMs: 1000 },
      { ...b, stuck: 0, meanMs: 800, maxMs: 2000 },
    ]);
    expect(search.classes[0]!.worst.map(({ plan }) => plan)).toEqual([b.plan, a.plan]);
  });

  it('moves nodes only if ids are chosen, and separates results by ids and by cost', () => {
    const learnt = (ids: IdRule): { search: AttackSearch; trials: Trial[] } => {
      const search = new AttackSearch({ ...options, ids, verifyMs: [4, 15], from: ['1of4:invalid@ahead'] });
      const trials: Trial[] = [];
      for (let generation = 0; generation < 40; generation++) {
        const proposed = search.propose(8);
        trials.push(...proposed);
        search.learn(proposed.map((trial, index) => ({ ...trial, stuck: 0, meanMs: index, maxMs: index })));
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

  it('uses the configured network, for silence too, and equal weights by default', () => {
    const world = { weights: 'pareto:1.2', threshold: 0.67, attackBy: 'lightest' } as const;
    const search = new AttackSearch({ ...options, world });
    const [trial] = search.propose(1) as [Trial];
    for (const scenario of [search.scenario(trial), search.silence(4)]) {
      expect(scenario).toMatchObject({ ...world, nodes: 32, seed: 1 });
      expect(() => validateScenario(scenario)).not.toThrow();
    }
    expect(new AttackSearch(options).scenario(trial)).toMatchObject({ weights: 'equal', attackBy: 'nodes' });
  });

  it('compares with silence without back-off, which may also delay silent nodes, and searches with it', () => {
    const search = new AttackSearch(options);
    const [trial] = search.propose(1) as [Trial];
    expect([search.silence(4).backOff, search.scenario(trial).backOff]).toEqual([false, true]);
  });
});
