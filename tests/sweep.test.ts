import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { isWhole } from './sampled.ts';
import { bin, endedAt, temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
let files = 0;
const fresh = (ending: string) => join(folder, `${++files}${ending}`);

function sweepFile(sweep: object): string {
  const file = fresh('.json');
  writeFileSync(file, JSON.stringify({ name: 'test', ...sweep }));
  return file;
}

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];

/** Returns the sorted lines of a serial run of the sweep; such a run does not depend on threads or interruptions. */
async function serial(file: string): Promise<string[]> {
  const out = fresh(`-${basename(file)}.serial.jsonl`);
  expect(await runMain(['sweep', file, '--jobs', '1', '--out', out])).toMatchObject({ code: 0 });
  return linesOf(out).toSorted();
}

/** A sweep of 60 runs of about 15 ms each. */
const smallRuns = { base: { nodes: 256 }, vary: { dead: [0, 0.2] }, seeds: { from: 1, count: 30 } };

describe('tutti sweep', () => {
  it.runIf(isWhole)('continues after a stop, a kill and a torn line, with each point once, as serially', async () => {
    const file = sweepFile(smallRuns);
    const out = fresh('.jsonl');
    const args = ['sweep', file, '--jobs', '2', '--out', out];
    const { code, err } = await endedAt('SIGINT', folder, () => linesOf(out).length, 1, args);
    const done = linesOf(out).length;
    expect(code).toBe(130);
    // On a slow machine, progress lines may precede this line.
    const said = `${out} has ${done} of 60 points; run the command again to continue\ntutti: interrupted\n`;
    expect(err.replace(/^(sweeping: [^\n]*\n)*/, '')).toBe(said);

    await endedAt('SIGKILL', folder, () => linesOf(out).length, done + 1, args);
    const before = linesOf(out);
    expect(before.length).toBeLessThan(60);
    appendFileSync(out, before[0]!.slice(0, 333));

    const again = await tutti(...args, '--json');
    expect(again.code).toBe(0);
    expect(JSON.parse(again.out)).toMatchObject({ points: 60, ran: 60 - before.length, engine: 'local' });
    const after = linesOf(out);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.toSorted()).toEqual(await serial(file));
    expect(new Set(after).size).toBe(60);

    const third = await runMain(['sweep', file, '--out', out, '--json']);
    expect(JSON.parse(third.out)).toMatchObject({ points: 60, ran: 0 });
    expect(linesOf(out)).toEqual(after);
    expect(JSON.parse(third.out).groups).toEqual(JSON.parse(again.out).groups);
  });

  it('a table of the runs is the same for any number of jobs, and compare finds no difference from itself', async () => {
    const file = sweepFile({ base: { nodes: 16 }, vary: { dead: [0, 0.2] }, seeds: { count: 4 } });
    const command = (out: string, jobs: string) => ['sweep', file, '--jobs', jobs, '--out', out];
    const [csv, parquet] = [fresh('.csv'), fresh('.parquet')];
    expect(await runMain(command(csv, '2'))).toMatchObject({ code: 0 });
    expect(await runMain(command(parquet, '1'))).toMatchObject({ code: 0 });
    expect(linesOf(csv)).toHaveLength(9);
    expect(linesOf(csv)[1]).toMatch(new RegExp(`,sweep ${file} --jobs 2 --out ${csv}$`));
    const before = readFileSync(csv);
    expect((await runMain(command(csv, '2'))).out).toContain('(0 run now');
    expect(readFileSync(csv)).toEqual(before);
    const compared = await runMain(['compare', csv, parquet, '--json']);
    expect(JSON.parse(compared.out)).toMatchObject({ shared: 8, equalDigests: 8, differing: [] });
    expect(JSON.parse(compared.out).figures.filter(({ moved }: { moved: boolean }) => moved)).toEqual([]);
    expect((await runMain(['compare', csv, parquet])).out).toMatch(
      /^0 of \d+ figures changed beyond their 95 % confidence intervals/,
    );
  });

  it('a larger sweep reuses the points of a smaller one', async () => {
    const out = fresh('.jsonl');
    await runMain(['sweep', sweepFile({ base: { nodes: 16 }, seeds: { count: 5 } }), '--out', out]);
    const larger = sweepFile({ vary: { nodes: [8, 16] }, seeds: { count: 10 } });
    const wide = await runMain(['sweep', larger, '--out', out, '--json']);
    expect(JSON.parse(wide.out)).toMatchObject({ points: 20, ran: 15 });
    expect(new Set(linesOf(out).map((line) => JSON.parse(line).key)).size).toBe(20);
  });

  it('a line equals the output of tutti simulate for the same scenario, with real signatures too', async () => {
    const out = fresh('.jsonl');
    await runMain(['sweep', sweepFile({ base: { nodes: 4, scheme: 'bls' }, seeds: { from: 3 } }), '--out', out]);
    const said = await runMain(['simulate', '--nodes', '4', '--scheme', 'bls', '--seed', '3', '--json']);
    const { key: _key, crc32: _crc32, ...result } = JSON.parse(linesOf(out)[0]!);
    expect(JSON.parse(said.out)).toMatchObject(result);
  });

  it('a failed run prints one line with its scenario and exits with 1', () => {
    const args = [bin, 'sweep', sweepFile({ base: { nodes: 4, scheme: 'bls' } }), '--out', fresh('.jsonl')];
    const env = { ...process.env, TUTTI_BLS: 'none' };
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    const line = 'tutti: nodes 4, scheme bls, seed 1: TUTTI_BLS: expected wasm, noble or native, got "none"\n';
    expect({ status, stderr }).toEqual({ status: 1, stderr: line });
  });
});
