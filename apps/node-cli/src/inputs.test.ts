import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { documentFrom, outputOf, refusalOf, runMain } from '../test/runMain.ts';
import { temporaryFiles } from '../test/temporaryFolder.ts';
import { readTable } from './results/readTable.ts';

const { at, write, writeJson } = temporaryFiles();
const network = (ms: number) => `a,b\n1,${ms}\n${ms},1\n`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const run = async (line: string) => outputOf(await runMain(line));

describe('the input files of a result', () => {
  it('are listed with their SHA-256, for a run and for a study', async () => {
    const file = write('net.csv', `\ufeff${network(10)}`);
    const faults = write('faults.json', '[{"kind":"loss","share":0.1}]');
    const { inputs } = await documentFrom(`simulate --nodes 16 --network file:${file} --fault-file ${faults}`);
    // The hash covers the bytes of the file, as with `sha256sum`.
    expect(inputs).toEqual([
      { file: faults, sha256: sha256('[{"kind":"loss","share":0.1}]') },
      { file, sha256: sha256(`\ufeff${network(10)}`) },
    ]);
    expect((await documentFrom('simulate --nodes 16')).inputs).toBeUndefined();
  });

  it('are compared: one path with two contents is a difference', async () => {
    const base = { nodes: 16, network: `file:${at('net2.csv')}` };
    const sweep = writeJson('sweep.json', { name: 'x', base, seeds: { count: 2 } });
    for (const ms of [10, 200]) {
      write('net2.csv', network(ms));
      await run(`sweep ${sweep} --out ${at(`${ms}.parquet`)} --jobs 1`);
    }
    expect(await run(`compare ${at('10.parquet')} ${at('200.parquet')}`)).toContain('inputs: [{"file":');
  });
});

describe('tutti sweep with a network from a file', () => {
  const sweepOf = (base: object, vary: object = {}) =>
    writeJson('own.json', { name: 'own', base: { nodes: 16, ...base }, vary, seeds: { count: 3 } });

  it('simulates on it in threads, like simulate, and names it with its hash', async () => {
    const file = `file:${write('lat.csv', network(80))}`;
    await run(`sweep ${sweepOf({}, { network: ['aws', file] })} --out ${at('own.parquet')} --jobs 2`);
    const { columns, rows } = await readTable(at('own.parquet'));
    const of = (name: string) => rows.map((row) => row[columns.indexOf(name)]);
    expect(of('scenario_network')).toEqual(['aws', 'aws', 'aws', file, file, file]);
    expect(of('inputs')).toEqual([
      ...[null, null, null],
      ...Array(3).fill(JSON.stringify([{ file: at('lat.csv'), sha256: sha256(network(80)) }])),
    ]);
    const { digest } = await documentFrom(`simulate --nodes 16 --network ${file} --seed 2`);
    expect(of('digest')[4]).toBe(`digest-${digest}`);
  });

  it('does not reuse a result of another content of the file', async () => {
    const sweep = sweepOf({ network: `file:${write('changing.csv', network(10))}` });
    const ran = async () => (await documentFrom(`sweep ${sweep} --out ${at('changing.jsonl')}`)).ran;
    expect([await ran(), await ran()]).toEqual([3, 0]);
    write('changing.csv', network(20));
    expect(await ran()).toBe(3);
  });

  it('refuses a file that contains no latencies, without quoting it', async () => {
    const sweep = sweepOf({ network: `file:${write('secret.txt', 'hunter2')}` });
    const line = refusalOf(await runMain(`sweep ${sweep} --out ${at('no.jsonl')}`), 1);
    expect(line).toContain('base.network: expected valid latencies in file:');
    expect(line).not.toContain('hunter2');
  });
});
