import { expect, it } from 'vitest';
import { defaultLeanScenario, type LeanScenario } from '../slot/scenario.ts';
import { LeanSearch, type LeanSearchOptions, tryLean } from './search.ts';

const base: LeanScenario = {
  ...defaultLeanScenario,
  profile: { ...defaultLeanScenario.profile, validators: 64, cores: 64 },
  subnets: 2,
  aggregators: 8,
  nodes: 12,
  network: 'constant:20',
};
const options: LeanSearchOptions = { base, share: 0.25, objective: 'excluded', hard: true, slots: 8, seed: 1 };

function searched(tries: number, changes: Partial<LeanSearchOptions> = {}): LeanSearch {
  const search = new LeanSearch({ ...options, ...changes });
  while (search.tried < tries) {
    search.learn(search.propose(8).map((trial) => tryLean(trial, search.scenario(trial))));
  }
  return search;
}

it('one seed is one search; the whole share takes part in each attack, and worlds that are harder are kept apart', () => {
  const search = searched(48);
  expect(searched(48).worst).toEqual(search.worst);
  const world = { clocksMs: 0, slowShare: 0, unserved: 0, perHost: 1 };
  for (const [at, worst] of search.worst.entries()) {
    expect(worst.length).toBeGreaterThan(0);
    for (const { roles, world: of } of worst) {
      expect(Object.values(roles).reduce((sum, count) => sum + count, 0)).toBe(2);
      expect(JSON.stringify(of) === JSON.stringify(world)).toBe(at === 0);
    }
  }
});

it('finds that two of eight aggregators leave a subnet out where they are together, as no drawn pair does', () => {
  const spec = { base: { ...base, rival: 'spec' as const, aggregators: 4, nodes: 8 }, share: 0.5, hard: false };
  const [worst] = searched(40, spec).worst;
  const honest = tryLean({ roles: {}, placement: 'drawn', world: base }, spec.base).excluded;
  expect(worst![0]!.excluded).toBeGreaterThanOrEqual(honest + 0.5);
  const together = { roles: { silent: 2 }, placement: 'together' as const, world: worst![0]!.world };
  const search = new LeanSearch({ ...options, ...spec });
  expect(tryLean(together, search.scenario(together)).excluded).toBeCloseTo(0.5);
});

it('the lag is what slots in a row come to', () => {
  const trial = {
    roles: { silent: 2 },
    placement: 'together' as const,
    world: { clocksMs: 0, slowShare: 0, unserved: 0, perHost: 1 },
  };
  const half = { ...base, rival: 'spec' as const, aggregators: 4, nodes: 8 };
  const search = new LeanSearch({ ...options, base: half, share: 0.5, objective: 'lag' });
  expect(tryLean(trial, half, 8).lag).toBeLessThan(4);
  // Half of the votes are in no proof: two thirds are never there.
  expect(tryLean(trial, search.scenario(trial), 8).lag).toBeGreaterThan(5);
});

it.each([
  [{ share: 2 }, 'share: expected a number from 0 to 1, got 2'],
  [{ slots: 1 }, 'slots: expected an integer from 2 to 4096, got 1'],
  [{ base: { ...base, perHost: 0 } }, 'perHost: expected an integer from 1 to 4096, got 0'],
])('refuses %j', (changes, message) => {
  expect(() => new LeanSearch({ ...options, ...changes })).toThrow(message);
});
