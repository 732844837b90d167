import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../../tests/sampled.ts';
import { openWindow, runBeamsim } from '../readers/beamsimRun.ts';
import { type Calibration, leanCalibrations } from './calibration.ts';

// The report's runs are printed, and of them only differences are held, in small.
const held = leanCalibrations.filter(({ part }) => part !== 'report');
const of = (isBeamsim: boolean) => held.filter(({ part }) => (part === 'beamsim') === isBeamsim);

function holds({ measured, within, ours }: Calibration): void {
  expect(Math.abs(ours() / measured - 1)).toBeLessThanOrEqual(within);
}

describe('what others have published, within the share that is said', () => {
  it.each(of(false))('$part, $what ($source): $measured $unit', holds);
  // Each takes some ten seconds.
  it.runIf(isWhole).each(of(true))('$part, $what ($source): $measured $unit', holds);

  it('the network has 1.86 to 2.04 s of the four runs that BEAMSIM prints', () => {
    expect(of(true).map(({ measured }) => measured)).toEqual([1968, 1955, 1862, 2041]);
  });
});

const small = {
  groups: 8,
  ofGroup: 96,
  localOfGroup: 8,
  globals: 8,
  meshN: 8,
  threshold1: 0.9,
  threshold2: 0.66,
  signMs: 20,
  voteBytes: 3072,
  proofBytes: 131_072,
  votesPerSecond: 1000,
  proofsPerSecond: 10,
  voteVerifyMs: 0.003,
  proofVerifyMs: 10,
  mbps: 100,
  votesDirect: 0,
  network: 'constant:50',
  seed: 1,
  playedGroups: 1,
};

describe("BEAMSIM's play", () => {
  it('a grid has less of the network than meshes, and merges as many proofs as reach two thirds', () => {
    const [gossip, grid] = (['gossip', 'grid'] as const).map((topology) => runBeamsim({ ...small, topology }));
    expect([gossip!.merged, grid!.merged]).toEqual([6, 6]);
    expect(grid!.networkMs).toBeLessThan(gossip!.networkMs);
    expect(runBeamsim({ ...small, topology: 'grid' })).toEqual(grid);
  });

  it('slow start is what the grid among aggregators lacks: with windows open it gains more than the plain grid', () => {
    const grid = { ...small, topology: 'grid' as const, mbps: 200 };
    const gain = (settings: typeof grid) =>
      runBeamsim(settings).networkMs - runBeamsim({ ...settings, firstWindow: openWindow }).networkMs;
    expect(gain({ ...grid, votesDirect: 1 })).toBeGreaterThan(gain(grid));
    expect(gain(grid)).toBeGreaterThan(0);
  });

  it('a first message waits for a connection: three times the way, and the proof for its windows', () => {
    const way = { ...small, topology: 'grid' as const, groups: 1, ofGroup: 4, localOfGroup: 1, globals: 1 };
    const { endMs, merged, lastLocalMs } = runBeamsim({ ...way, threshold2: 0.5, proofVerifyMs: 0 });
    // 20 ms to sign; 150 ms for the first vote to come over a new connection; 3 votes to be proved.
    expect(lastLocalMs).toBeGreaterThan(173);
    expect(lastLocalMs).toBeLessThan(190);
    expect(merged).toBe(1);
    // Announced and asked for; then nine windows of a round trip each.
    expect(endMs - lastLocalMs).toBeGreaterThan(300 + 500);
  });
});
