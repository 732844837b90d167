import { expect, it } from 'vitest';
import { documentFrom, outputOf, runMain } from '../../test/runMain.ts';

const small = '--validators 8192 --beacon-nodes 48 --jobs 1 --seeds 1';
const rowsOf = async (flags: string) => (await documentFrom(`slots network --preset electra ${small} ${flags}`)).rows;

it('--json names machine, network, nodes and source in the row of each system', async () => {
  const rows = await rowsOf('');
  expect(rows).toHaveLength(1);
  const { result, bandwidth, ...row } = rows[0];
  expect(row).toMatchObject({
    ...{ preset: 'electra', validators: 8192, beaconNodes: 48, machine: 'i7-8550U', cores: 4, network: 'aws' },
    ...{ distribution: 'uniform', idontwantBytes: 1000, forwardWaitMs: 1000 },
    chain: { slots: { mean: 32 }, justified: { min: 1 }, finalSeconds: { max: 768 } },
  });
  expect(row.source).toContain('EIP-7549');
  expect(result.inReach.mean).toBeCloseTo(1, 6);
  expect(bandwidth.ofBlobs.mean).toBeCloseTo(result.globalBytes.mean / 786_432, 9);
  expect(result.globalBytes.mean / result.globalMessages.mean).toBeGreaterThan(400);
});

it('simulates a mix of clients, by shares of the nodes', async () => {
  const rowOf = async (clients: string) => (await rowsOf(`--max-consecutive-slots 1 --client ${clients}`))[0];
  const [teku, mixed] = [await rowOf('teku'), await rowOf('teku:0.5+prysm:0.3+nimbus:0.2')];
  expect(mixed).toMatchObject({ batch: 250, clients: [{ name: 'prysm' }, { name: 'nimbus', share: 0.2 }] });
  expect(mixed.result.loads[0].coreSeconds.mean).toBeLessThan(teku.result.loads[0].coreSeconds.mean);
});

it('prints the load of a node, by its link, with the assumptions', async () => {
  const out = outputOf(await runMain(`slots network --preset electra ${small}`));
  expect(out).toMatch(/^electra: home +\d/m);
  expect(out).toMatch(/^compared with the post .* in, of 390 kB\/s, %/m);
  expect(out).toMatch(/^profile electra; nodes 48 with 8,192 validators \(uniform\); cores 4 of i7-8550U/m);
  expect(out).not.toMatch(/ $/m);
});

it('--every-message simulates every message; --ignore-covered does not forward covered messages', async () => {
  const tiny = '--validators 256 --beacon-nodes 32 --subcommittees 1 --max-consecutive-slots 1';
  const rowWith = async (flag: string) => (await rowsOf(`--preset strawman ${tiny} --every-message ${flag}`))[0];
  const rows = [await rowWith(''), await rowWith('--ignore-covered')];
  expect(rows.map(({ mode, ignoresCovered }) => [mode, ignoresCovered])).toEqual([
    ['singly', false],
    ['singly', true],
  ]);
  const [all, fewer] = rows.map(({ result }) => result.loads[0].coreSeconds.mean);
  expect(fewer).toBeLessThan(all);
});

it('reads links, and the length and the parts of a slot', async () => {
  const [row] = await rowsOf('--slot-ms 6000 --links 100/40 --parts 1:2:3');
  expect(row).toMatchObject({ slotMs: 6000, attestMs: 1000, chain: { finalSeconds: { mean: 384 } } });
  expect(row.links).toEqual([{ name: '100/40', share: 1, downMbps: 100, upMbps: 40 }]);
  expect(row.inRow[0]).toEqual(row.result.inReach);
});

it('a shorter slot keeps its parts in proportion', async () => {
  expect((await rowsOf('--slot-ms 6000'))[0]).toMatchObject({ slotMs: 6000, attestMs: 2000 });
});
