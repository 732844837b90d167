import { emptySet, sizeOf } from '@tutti/core/horn';
import { loadNetwork } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { summaryOf } from '../../statistics.ts';
import { joinVotes, ownersOf } from '../rules.ts';
import { type LeanStrategy, leanStrategies } from '../world.ts';
import { compareLean, leanMapScenarios, leanRankings } from './compare.ts';
import { leanMetrics } from './metrics.ts';
import { recordLeanSlot } from './recording.ts';
import { leanOutcomes, proposerOf, proposerResult, runLeanSeeds, runLeanSlot, slotResult } from './result.ts';
import { LeanSlotRun } from './run.ts';
import { defaultLeanScenario, type LeanRole, type LeanScenario } from './scenario.ts';

await loadNetwork('cities');

// With 4096 votes in two subnets, a prover would take longer than a slot.
const profile = { ...defaultLeanScenario.profile, validators: 256 };
const small: LeanScenario = { ...defaultLeanScenario, profile, subnets: 4, aggregators: 8, nodes: 24 };
const fast = { network: 'constant:20', aggregatorMbps: 1e5, upMbps: 1e5, downMbps: 1e5 };
const pair = { ...fast, subnets: 2, aggregators: 8, nodes: 16 };
const simulated = (scenario: Partial<LeanScenario>) => runLeanSlot({ ...small, ...scenario });

it.each(leanStrategies)('%s: a seed repeats a slot, and every second of every prover has an outcome', (strategy) => {
  const { run, result } = simulated({ strategy });
  expect(simulated({ strategy }).result).toEqual(result);
  const seconds = run.jobs.reduce((sum, { startUs, endUs }) => sum + (endUs - startUs) / 1e6, 0);
  expect(leanOutcomes.reduce((sum, name) => sum + result.proverSeconds[name].mean, 0)).toBeCloseTo(seconds);
  // Each node has one prover, which finishes a job before it begins the next.
  for (const { jobs } of recordLeanSlot(run).lanes) {
    for (const [at, { startMs }] of jobs.entries()) expect(startMs).toBeGreaterThanOrEqual(jobs[at - 1]?.endMs ?? 0);
  }
  for (const proof of run.proofs) {
    const held = proof.children.map((child) => run.verified[proof.by]!.find((one) => one.proof === child)?.atUs);
    const start = run.jobs.find((job) => job.proof === proof)!.startUs;
    for (const atUs of held) expect(atUs).toBeLessThanOrEqual(start);
  }
});

it('shares are taken over every possible proposer and every seed', () => {
  const seeds = [1, 2, 3];
  const world: LeanScenario = { ...small, strategy: 'window', downMbps: 3, upMbps: 2 };
  // The shares are computed from the proofs that each node has verified, without the code under test.
  const shares = seeds.flatMap((seed) => {
    const { verified } = runLeanSlot({ ...world, seed }).run;
    return verified.slice(world.aggregators).map((list) => {
      const union = emptySet(256);
      for (const { proof, atUs } of list) if (atUs <= 4_000_000 && !proof.isSecond) joinVotes(union, proof.votes);
      return sizeOf(union) / 256;
    });
  });
  const { pooled, proposers, seeds: of } = runLeanSeeds(world, seeds);
  expect([of, proposers]).toEqual([seeds, 16]);
  expect(pooled['4000']).toEqual(summaryOf(shares));
  expect(pooled['4000']!.max).toBeGreaterThan(pooled['4000']!.min);
});

it('a ranking is stated exactly if p10 of one exceeds p90 of the other', () => {
  const of = (strategy: LeanStrategy, values: readonly number[]) => {
    const row = compareLean({ ...small, strategy }, true, [1]);
    return { ...row, covered: {}, pooled: { '4000': summaryOf(values) } };
  };
  const tenths = (from: number) => Array.from({ length: 11 }, (_, at) => from + at / 100);
  const rows = [of('spec', tenths(0.5)), of('window', tenths(0.55)), of('super', tenths(0.7))];
  expect(leanRankings(rows).map(({ strategy, above }) => [strategy, above])).toEqual([['super', ['spec', 'window']]]);
});

it('no node receives more than its link transmits, and the kinds of bytes sum to the total', () => {
  for (const strategy of ['greedy', 'halving'] as const) {
    const { run, result } = simulated({ strategy, upMbps: 2, downMbps: 4 });
    const { proofs, haveBits, requests } = run.received;
    proofs.forEach((bytes, node) => {
      expect(bytes).toBeGreaterThanOrEqual(-1);
      expect(bytes + haveBits[node]! + requests[node]!).toBeLessThanOrEqual((node < 8 ? 1000 : 4) * 125 * 4000 + 1);
    });
    expect(proofs.slice(8).some((bytes) => bytes > 0.4 * 4 * 125 * 4000)).toBe(true);
    expect(result.bytesByKind.haveBits.max > 0).toBe(strategy === 'halving');
  }
});

it("has a slot's figures under the names of leanMetrics, equal to its result", () => {
  const { run, result } = simulated({ strategy: 'greedy', start: 'free' });
  const metrics = new Map(leanMetrics(run).map((one) => [`${one.name}{${one.labels}}`, one]));
  const of = (name: string, labels = '') => metrics.get(`${name}{${labels}}`)!;
  const building = of('lean_pq_sig_aggregated_signatures_building_time_seconds');
  expect(building.count).toBe(of('lean_pq_sig_aggregated_signatures_total').value);
  expect(building.buckets['4']).toBe(building.count);
  expect(Object.keys(building.buckets)).toHaveLength(9);
  expect(building.p50!).toBeLessThanOrEqual(building.p99!);
  const verifying = of('lean_pq_sig_aggregated_signatures_verification_time_seconds');
  expect(verifying.value).toBeCloseTo(result.verificationSeconds.mean);
  const ofRecorded = proposerResult(run, proposerOf(run.scenario));
  for (const outcome of leanOutcomes)
    expect(of('tutti_prover_seconds', `outcome="${outcome}"`).value).toBe(ofRecorded.proverSeconds[outcome]);
  expect(of('lean_attestation_aggregate_coverage_validators').value).toBe(ofRecorded.pooled['4000']! * 256);
});

it('owners divide the merges of a slot, while all windows make the same ones', () => {
  const owners = simulated({ ...pair, strategy: 'halving-owners' }).result;
  const windows = simulated({ ...pair, strategy: 'window', start: 'free' }).result;
  expect([owners.leaves.max, owners.merges.max, owners.covered['4000']!.min]).toEqual([2, 1, 1]);
  expect(owners.proverSeconds.duplicate.max).toBe(0);
  expect(windows.covered['4000']!.min).toBe(1);
  expect(windows.proverSeconds.duplicate.min).toBeGreaterThan(4 * owners.proverSeconds.useful.max);
});

it('gives a reason for all work outside of the block, and puts into the block all votes that the proposer has', () => {
  const { run, result } = simulated({ ...pair, strategy: 'window', start: 'free' });
  const { lanes, proofs, block, coverage } = recordLeanSlot(run);
  const jobs = lanes.flatMap(({ position, jobs }) => jobs.map((job) => ({ position, ...job })));
  for (const job of jobs) {
    expect(job.waste === null).toBe(job.outcome === 'useful');
    expect(job.behind === null).toBe(job.outcome !== 'duplicate');
  }
  const wasted = jobs.filter(({ proof, outcome }) => outcome === 'duplicate' && proofs[proof]!.children.length > 0);
  expect(wasted.length).toBeGreaterThan(0);
  for (const { position, startMs, waste } of wasted) {
    if (waste?.why !== 'same') throw new Error(`expected the same votes, got ${waste?.why}`);
    const other = jobs.find(({ proof }) => proof === waste.proof)!;
    // The windows of all aggregators choose the same merge at the same time.
    expect(waste.when).toBe(other.startMs <= startMs ? 'being made' : 'not begun');
    expect(other.endMs).toBeGreaterThan(startMs);
    expect(other.position).not.toBe(position);
  }
  expect(coverage.at(-1)).toMatchObject({ pooled: result.pooled['4000']!.min, subnets: [1, 1] });
  expect(block).toEqual({ proofs: [expect.any(Number)], mergeMs: 0 });
  expect(proofs[block.proofs[0]!]!.size).toBe(256);
});

it('a silent first owner costs one turn and no votes', () => {
  const { run, result } = simulated({ ...pair, strategy: 'halving-owners', roles: { silent: 0.25 } });
  const silent = run.aggregators.filter(({ role }) => role === 'silent').map(({ position }) => position);
  expect(silent).toHaveLength(2);
  expect(run.jobs.some(({ position }) => silent.includes(position))).toBe(false);
  expect(result.pooled['4000']!.min).toBe(1);
});

it.each(['late', 'omitting', 'overlapping', 'wide', 'invalid'] as const satisfies LeanRole[])(
  '%s aggregators: the proposer has only valid and existing votes',
  (role) => {
    const { run, result } = simulated({ ...fast, strategy: 'window', roles: { [role]: 0.5 } });
    const isOwn = (atUs: number) => run.jobs.some(({ endUs }) => endUs === atUs);
    expect(run.verified.flat().every(({ proof, atUs }) => proof.isValid || isOwn(atUs))).toBe(true);
    expect(result.pooled['4000']!.max).toBeLessThanOrEqual(1);
    const honest = simulated({ ...fast, strategy: 'window' }).result;
    if (role === 'overlapping') expect(result.proofsOnTopic.mean).toBeGreaterThan(honest.proofsOnTopic.mean);
    else if (role !== 'wide') expect(result.pooled['4000']!.mean).toBeLessThanOrEqual(honest.pooled['4000']!.mean);
  },
);

it('equivocating validators give all provers a second message, which the block does not contain', () => {
  const machine = { ...fast, strategy: 'window' as const, start: 'free' as const };
  const honest = simulated(machine).result;
  const { run, result } = simulated({ ...machine, roles: { equivocating: 0.25 } });
  expect(run.jobs.filter(({ proof }) => proof.isSecond).length).toBeGreaterThan(8);
  const most = run.proofs.filter(({ isSecond }) => isSecond).reduce((all, { size }) => Math.max(all, size), 0);
  const twice = run.aggregators.filter(({ role }) => role === 'equivocating').length;
  expect(most).toBeLessThanOrEqual(twice * Math.ceil(256 / 24) + 4 * twice);
  expect(run.jobs.length).toBeGreaterThan(honest.leaves.mean + honest.merges.mean);
  const { lanes, block, proofs } = recordLeanSlot(run);
  for (const { proof, waste } of lanes.flatMap(({ jobs }) => jobs)) {
    if (run.proofs[proof]!.isSecond) expect(['other message', 'same']).toContain(waste?.why);
  }
  expect(block.proofs.some((id) => run.proofs[id]!.isSecond)).toBe(false);
  expect(proofs[block.proofs[0]!]!.size).toBeGreaterThan(64);
  expect(result.pooled['4000']!.max).toBeLessThanOrEqual(1);
});

it('a machine with all aggregators makes one proof at a time', () => {
  const { run, result } = simulated({ ...fast, strategy: 'spec', perHost: 8 });
  const jobs = [...run.jobs].sort((a, b) => a.startUs - b.startUs);
  for (const [at, job] of jobs.slice(1).entries()) expect(job.startUs).toBeGreaterThanOrEqual(jobs[at]!.endUs);
  expect(jobs.length).toBeGreaterThan(2);
  const busyMs = jobs.reduce((sum, { startUs, endUs }) => sum + (Math.min(endUs, 4e6) - startUs) / 1000, 0);
  expect(result.idleShare.mean).toBeCloseTo(1 - busyMs / 4000);
  const apart = simulated({ ...fast, strategy: 'spec' }).result;
  expect(result.pooled['2400']!.mean).toBeLessThan(apart.pooled['2400']!.mean);
});

it('ethlambda’s worker of September proves at two thirds of the votes, and its session of August not before 1.0 s', () => {
  const first = (start: LeanScenario['start']) => {
    const { jobs } = simulated({ ...fast, strategy: 'greedy', start, skewMs: 0 }).run;
    return Math.min(...jobs.map(({ startUs }) => startUs / 1000));
  };
  expect(first('always')).toBeLessThan(1000);
  expect(first('always')).toBeGreaterThan(small.profile.times.attestMs);
  expect(first('session')).toBeGreaterThanOrEqual(1000);
});

it('shares of roles that sum to one give each aggregator one role', () => {
  for (const roles of [
    { silent: 0.5, late: 0.5 },
    { silent: 0.34, omitting: 0.55, late: 0.11 },
  ]) {
    const { run } = simulated({ subnets: 1, aggregators: 5, strategy: 'spec', roles });
    expect(run.aggregators.every(({ role }) => role !== undefined)).toBe(true);
    expect(run.aggregators).toHaveLength(5);
  }
});

it('ideal rounds: the published proofs together have at least the votes of the best', () => {
  const { covered, pooled, leaves } = compareLean(
    { ...small, strategy: 'super', aggregators: 4, roles: { silent: 0.33 } },
    true,
    [1, 2, 3],
  );
  expect(pooled['4000']!.min).toBeCloseTo(leaves.min / 4);
  expect(covered['4000']!.min).toBeLessThan(pooled['4000']!.min);
});

it.each([true, false])(
  'ideal rounds %s: silent aggregators prove nothing, and a comparison needs a seed',
  (isIdeal) => {
    const silent = { ...small, roles: { silent: 1 } };
    const { covered, leaves, proverSeconds, roundsToFull } = compareLean(silent, isIdeal, [1]);
    expect([covered['4000']!.max, leaves.max, proverSeconds.useful.max, roundsToFull]).toEqual([0, 0, 0, null]);
    expect(() => compareLean(silent, isIdeal, [])).toThrow('seeds: expected at least one, got none');
  },
);

it('all aggregators of the map are honest, and serve all subnets', () => {
  const base = { ...small, roles: { silent: 0.5 }, unserved: 3 };
  const scenarios = leanMapScenarios(base, { subnets: 4, cores: 8, deadlineMs: 4000 });
  for (const { roles, unserved } of scenarios) expect([roles, unserved]).toEqual([{}, 0]);
});

it('a slot that is run in parts equals the same slot run at once', () => {
  const inParts = new LeanSlotRun(small);
  for (const untilMs of [1000, 2000, 4000]) inParts.run(untilMs);
  expect(slotResult(inParts)).toEqual(simulated({}).result);
});

it('Byzantine aggregators are adjacent, spread, or the first owners', () => {
  const silent = (placement: LeanScenario['placement']) =>
    simulated({ roles: { silent: 0.5 }, placement })
      .run.aggregators.filter(({ role }) => role === 'silent')
      .map(({ position }) => position);
  expect(new Set(silent('together').map((position) => position >> 1)).size).toBe(2);
  expect(new Set(silent('spread').map((position) => position >> 1)).size).toBe(4);
  const top = ownersOf({ level: 2, index: 0 }, [0, 1, 2, 3, 4, 5, 6, 7], 1);
  expect(new Set(silent('owners'))).toEqual(new Set(top.slice(0, 4)));
});

it.each([
  [{ aggregators: 6 }, 'aggregators: expected a multiple of the subnets, 4, got 6'],
  [{ unserved: 4 }, 'unserved: expected an integer from 0 to 3, got 4'],
  [{ nods: 8 } as never, /^scenario: expected no fields but profile, .*, got "nods" \(Did you mean nodes\?\)$/],
  [{ nodes: 8 }, 'nodes: expected an integer from 9 to 8192, got 8'],
  [{ deadlinesMs: [] }, 'number of deadlinesMs: expected an integer from 1 to 64, got 0'],
  [{ profile: { ...profile, cores: Number.NaN } }, 'cores: expected an integer from 1 to 1024, got NaN'],
  [
    { roles: { silnt: 0.5 } as never },
    /^roles: expected no fields but silent, .*, got "silnt" \(Did you mean silent\?\)$/,
  ],
  [{ roles: { silent: 0.6, late: 0.6 } }, 'roles: expected shares with a sum of at most 1, got 1.2'],
])('refuses %j', (given, message) => expect(() => simulated(given)).toThrow(message));
