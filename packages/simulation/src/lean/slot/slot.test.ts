import { expect, it } from 'vitest';
import { loadNetwork } from '../../engine/network/loadNetwork.ts';
import { type LeanRival, leanRivals } from '../world.ts';
import { comparedWorlds, compareLean } from './compare.ts';
import { recordLeanSlot } from './recording.ts';
import { leanOutcomes, playLeanSlot } from './result.ts';
import { defaultLeanScenario, type LeanRole, type LeanScenario } from './scenario.ts';

await loadNetwork('cities');

// 4096 votes of two subnets would take a prover longer than a slot.
const profile = { ...defaultLeanScenario.profile, validators: 256 };
const small: LeanScenario = { ...defaultLeanScenario, profile, subnets: 4, aggregators: 8, nodes: 24 };
const fast = { network: 'constant:20', aggregatorMbps: 1e5, upMbps: 1e5, downMbps: 1e5 };
const played = (scenario: Partial<LeanScenario>) => playLeanSlot({ ...small, ...scenario });

it.each(leanRivals)('%s: a seed replays a slot, and every second of every prover has an outcome', (rival) => {
  const { run, result } = played({ rival });
  expect(played({ rival }).result).toEqual(result);
  const seconds = run.jobs.reduce((sum, { startUs, endUs }) => sum + (endUs - startUs) / 1e6, 0);
  expect(leanOutcomes.reduce((sum, name) => sum + result.proverSeconds[name], 0)).toBeCloseTo(seconds);
  // One prover a node, and a job once begun is finished before the next.
  for (const { jobs } of recordLeanSlot(run).lanes) {
    for (const [at, { startMs }] of jobs.entries()) expect(startMs).toBeGreaterThanOrEqual(jobs[at - 1]?.endMs ?? 0);
  }
  for (const proof of run.proofs) {
    const held = proof.children.map((child) => run.verified[proof.by]!.find((one) => one.proof === child)?.atUs);
    const start = run.jobs.find((job) => job.proof === proof)!.startUs;
    for (const atUs of held) expect(atUs).toBeLessThanOrEqual(start);
  }
});

it('owners share the merges of a slot out, where all windows make the same ones', () => {
  const machine = { ...fast, subnets: 2, aggregators: 8, nodes: 16 };
  const owners = played({ ...machine, rival: 'handel-owners' }).result;
  const windows = played({ ...machine, rival: 'window', start: 'free' }).result;
  expect([owners.leaves, owners.merges, owners.covered['4000']]).toEqual([2, 1, 1]);
  expect(owners.proverSeconds.duplicate).toBe(0);
  expect(windows.covered['4000']).toBe(1);
  expect(windows.proverSeconds.duplicate).toBeGreaterThan(4 * owners.proverSeconds.useful);
});

it('says of all work that is in no block why, and takes for the block what has all votes that the proposer holds', () => {
  const machine = { ...fast, subnets: 2, aggregators: 8, nodes: 16 };
  const { run, result } = played({ ...machine, rival: 'window', start: 'free' });
  const { lanes, proofs, block, coverage } = recordLeanSlot(run);
  const jobs = lanes.flatMap(({ position, jobs }) => jobs.map((job) => ({ position, ...job })));
  for (const job of jobs) expect(job.vain === null).toBe(job.outcome === 'useful');
  const wasted = jobs.filter(({ proof, outcome }) => outcome === 'duplicate' && proofs[proof]!.children.length > 0);
  expect(wasted.length).toBeGreaterThan(0);
  for (const { position, startMs, vain } of wasted) {
    if (vain?.why !== 'same') throw new Error(`expected the same votes, got ${vain?.why}`);
    const other = jobs.find(({ proof }) => proof === vain.proof)!;
    // The windows of all aggregators ask for the same merge at the same time.
    expect(vain.when).toBe(other.startMs <= startMs ? 'being made' : 'not begun');
    expect(other.endMs).toBeGreaterThan(startMs);
    expect(other.position).not.toBe(position);
  }
  expect(coverage.at(-1)).toMatchObject({ pooled: result.pooled['4000'], subnets: [1, 1] });
  expect(block).toEqual({ proofs: [expect.any(Number)], mergeMs: 0 });
  expect(proofs[block.proofs[0]!]!.size).toBe(256);
});

it('a silent first owner costs a turn, and the votes are there all the same', () => {
  const machine = { ...fast, subnets: 2, aggregators: 8, nodes: 16, rival: 'handel-owners' as const };
  const { run, result } = played({ ...machine, roles: { silent: 0.25 } });
  const silent = run.aggregators.filter(({ role }) => role === 'silent').map(({ position }) => position);
  expect(silent).toHaveLength(2);
  expect(run.jobs.some(({ position }) => silent.includes(position))).toBe(false);
  expect(result.pooled['4000']).toBe(1);
});

it.each(['late', 'omitting', 'overlapping', 'wide', 'invalid'] as const satisfies LeanRole[])(
  '%s aggregators: what the proposer has is valid and not more than there is',
  (role) => {
    const { run, result } = played({ ...fast, rival: 'window', roles: { [role]: 0.5 } });
    expect(
      run.verified.flat().some(({ proof, atUs }) => !proof.isValid && run.jobs.every((job) => job.endUs !== atUs)),
    ).toBe(false);
    expect(result.pooled['4000']).toBeLessThanOrEqual(1);
    const honest = played({ ...fast, rival: 'window' }).result;
    if (role === 'overlapping') expect(result.proofsOnTopic).toBeGreaterThan(honest.proofsOnTopic);
    else if (role !== 'wide') expect(result.covered['2400']).toBeLessThanOrEqual(honest.covered['2400']!);
  },
);

it('on the global topic: 16 leaf proofs, 80 with windows, one with owners', () => {
  const base = { ...defaultLeanScenario, subnets: 16, aggregators: 16, nodes: 80 };
  const onTopic = (rival: LeanRival) => compareLean({ ...base, rival }, true).proofsOnTopic;
  expect((['spec', 'window', 'handel-owners'] as const).map(onTopic)).toEqual([16, 80, 1]);
});

it('a comparison has each rival with each share of silent and of omitting aggregators', () => {
  const worlds = comparedWorlds(small, ['spec', 'handel'], [0, 0.5]);
  expect(worlds.map(({ rival, roles }) => [rival, roles])).toEqual([
    ['spec', {}],
    ['spec', { silent: 0.5 }],
    ['spec', { omitting: 0.5 }],
    ['handel', {}],
    ['handel', { silent: 0.5 }],
    ['handel', { omitting: 0.5 }],
  ]);
});

it.each([
  [{ aggregators: 6 }, 'aggregators: expected a multiple of the subnets, 4, got 6'],
  [{ nodes: 8 }, 'nodes: expected an integer from 9 to 8192, got 8'],
  [{ roles: { silent: 0.6, late: 0.6 } }, 'shares of roles together: expected at most 1, got 1.2'],
])('refuses %j', (given, message) => {
  expect(() => played(given)).toThrow(message);
});
