import { describe, expect, it } from 'vitest';
import { simulate } from '../simulation.ts';
import { AttackSearch, searchPatienceMs, triedAs } from './attackSearch.ts';

const options = { nodes: 32, share: 0.4, seed: 1, from: ['light@0/1invalid@0'] };

function searched(plans: number, at = 4): AttackSearch {
  const search = new AttackSearch(options);
  while (search.tried < plans) {
    const proposed = search.propose(at);
    search.learn(
      proposed.map((plan) => triedAs(plan, simulate(search.scenario(plan), { giveUpAfterMs: searchPatienceMs }))),
    );
  }
  return search;
}

describe('AttackSearch', () => {
  it('begins with what it is given, and proposes no plan twice', () => {
    const search = new AttackSearch(options);
    const plans = search.propose(300);
    expect(plans[0]).toBe('light@0/1invalid@0');
    expect(new Set(plans).size).toBe(300);
  });

  it('makes one search of one seed', () => {
    const search = searched(24);
    expect(searched(24).worst).toEqual(search.worst);
    expect(search.tried).toBe(24);
  });

  it('keeps the worst, whoever never finishes before whoever is slow, and climbs from there', () => {
    const search = new AttackSearch(options);
    const [a, b, c] = search.propose(3) as [string, string, string];
    search.learn([
      { plan: a, stuck: 0, meanMs: 900, maxMs: 1000 },
      { plan: b, stuck: 1, meanMs: 100, maxMs: 100 },
      { plan: c, stuck: 0, meanMs: 950, maxMs: 960 },
    ]);
    expect(search.worst.map(({ plan }) => plan)).toEqual([b, c, a]);
    const before = searched(4).worst[0]!;
    expect(searched(40).worst[0]!.meanMs).toBeGreaterThanOrEqual(before.meanMs);
  });

  it('refuses a plan that is none', () => {
    expect(() => new AttackSearch({ ...options, from: ['nonsense'] })).toThrow(RangeError);
  });
});
