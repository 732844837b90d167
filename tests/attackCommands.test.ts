import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AttackSearchDocument } from '../apps/node-cli/src/commands/attackSearch.ts';
import type { AttackTableDocument } from '../apps/node-cli/src/commands/attackTable.ts';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();

describe('tutti attack search', () => {
  const search = ['attack', 'search', '--nodes', '24', '--share', '0.3', '--tries', '12', '--seed', '5'];
  const found = async (jobs: string): Promise<AttackSearchDocument> =>
    JSON.parse((await runMain([...search, '--jobs', jobs, '--json'])).out);

  it('finds the same attacks with any number of jobs, worst first, and prints the commands to repeat them', async () => {
    const [one, two] = [await found('1'), await found('2')];
    expect({ ...two, wallSeconds: 0 }).toEqual({ ...one, wallSeconds: 0 });
    expect(one).toMatchObject({ nodes: 24, share: 0.3, seed: 5, tried: 12 });
    const [drawn, ...others] = one.classes;
    expect(others).toEqual([]);
    expect(drawn).toMatchObject({ ids: 'drawn', verifyMs: 4 });
    const times = drawn!.worst.map((tried) => tried.times);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const worst = drawn!.worst[0]!;
    expect(worst.times).toBeCloseTo(worst.meanMs / drawn!.silentMs);
    const again = await runMain([...worst.again.split(' ').slice(1), '--json']);
    expect(JSON.parse(again.out).timeToThresholdMs.mean).toBe(worst.meanMs);
  });
});

describe('tutti attack table', () => {
  const runs = join(folder, 'runs');
  const page = join(folder, 'table.md');
  const table = ['attack', 'table', '--nodes', '16,24', '--shares', '0.29', '--run-folder', runs];

  it('measures every attack and compares it with silence, checks the claim, and continues from stored results', async () => {
    const first = await runMain([...table, '--write', page, '--json']);
    const { cells, broken }: AttackTableDocument = JSON.parse(first.out);
    expect(first.code === 0).toBe(broken.length === 0);
    const attacks = [...new Set(cells.map(({ attack }) => attack))];
    expect(cells.length).toBe(2 * attacks.length);
    expect(attacks).toEqual(expect.arrayContaining(['silent', 'invalid', 'across-levels', 'delay']));
    const silent = cells.filter(({ attack }) => attack === 'silent, back-off off');
    expect(silent.map(({ nodes, times }) => [nodes, times])).toEqual([
      [16, 1],
      [24, 1],
    ]);
    for (const { nodes, meanMs, maxMs, times, timesLast } of cells) {
      const silentCell = silent.find((cell) => cell.nodes === nodes)!;
      expect(times).toBeCloseTo(meanMs / silentCell.meanMs);
      expect(timesLast).toBeCloseTo(maxMs / silentCell.maxMs);
    }
    const written = readFileSync(page, 'utf8');
    expect(written.match(/^\| attack \| 29 % of 16 \| 29 % of 24 \|$/gm)).toHaveLength(2);
    for (const attack of attacks) expect(written).toContain(attack);
    expect(broken.filter(({ attack, stuck }) => stuck === 0 && attack === 'isolate')).toEqual([]);

    const again = await runMain([...table, '--json']);
    expect(JSON.parse(again.out).cells).toEqual(cells);
  });
});
