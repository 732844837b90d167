import { readFileSync } from 'node:fs';
import { defaultScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { documentFrom, outputOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from '../results/readTable.ts';
import { planOfFlags } from './variedFlags.ts';

const { at, write } = temporaryFiles();

describe('planOfFlags', () => {
  it('varies flags by their names, fields of groups by dotted names, and seeds from that of the scenario', () => {
    const scenario = { ...defaultScenario, nodes: 16, seed: 7, cpu: { ...defaultScenario.cpu, nodesPerCore: 2 } };
    const vary = ['dead=0,0.2', 'cpu.perMessageUs=0,50', 'weights=equal;8x2,8x1', 'back-off=off'];
    const { varied, groups, points } = planOfFlags(scenario, vary, 2);
    expect(varied).toEqual(['dead', 'cpu.perMessageUs', 'weights', 'backOff']);
    const weightings = ['equal', '8x2,8x1'];
    expect(groups.map(({ dead, cpu, weights, backOff }) => [dead, cpu.perMessageUs, weights, backOff])).toEqual(
      [0, 0.2].flatMap((dead) => [0, 50].flatMap((us) => weightings.map((weights) => [dead, us, weights, false]))),
    );
    expect(points.slice(0, 3).map((point) => point.scenario.seed)).toEqual([7, 8, 7]);
  });

  it.each([
    [['dead'], '--vary: expected FIELD=VALUE,VALUE, got "dead"'],
    [['dead=0,2'], '--vary dead: expected a number from 0 to less than 1, got "2"'],
    [['dead=0', 'dead=0.1'], '--vary: expected each field once, got "dead"'],
    [['nodes=8', 'dead=0,0.1,0.10'], '--vary: expected different values, got "dead=0,0.1,0.10"'],
    [['cpu.perKeyUs=-1'], /^--vary cpu\.perKeyUs: expected microseconds, a number from 0/],
    [['attack=silent:0.1'], /^--vary: expected a field of a scenario \(protocol, nodes, .*\), got "attack"$/],
    [['seed=1,2'], /^--vary: expected a field of a scenario/],
    [['back-off=perhaps'], /^--vary back-off: expected on or off, got "perhaps"/],
    [['network=mars'], /^--vary network: expected aws/],
  ])('refuses %j in one line', (texts, line) => expect(() => planOfFlags(defaultScenario, texts, 1)).toThrow(line));

  it('no seed exceeds the maximum, which is reported before the first run', () => {
    const scenario = { ...defaultScenario, seed: 2 ** 32 - 2 };
    expect(planOfFlags(scenario, [], 2).points.length).toBe(2);
    expect(() => planOfFlags(scenario, [], 3)).toThrow(/^--seeds: expected at most 2 seeds starting with 4294967294/);
  });
});

describe('tutti simulate --seeds --vary', () => {
  it('writes the same table as a sweep file of the same runs', async () => {
    const [ours, theirs] = ['flags.parquet', 'file.parquet'].map((name) => at(name)) as [string, string];
    const flags = ['--nodes', '16', '--seeds', '3', '--vary', 'dead=0,0.2', '--jobs', '2', '--out', ours];
    const out = outputOf(await runMain(['simulate', ...flags]));
    expect(out).toMatch(/^simulate: 6 points in /);
    expect(out).toContain(`is in ${ours}.\n`);
    const sweep = { name: 'x', base: { nodes: 16 }, vary: { dead: [0, 0.2] }, seeds: { count: 3 } };
    write('sweep.json', JSON.stringify(sweep));
    expect((await runMain(['sweep', at('sweep.json'), '--out', theirs])).code).toBe(0);
    expect(await readTable(ours)).toEqual(await readTable(theirs));
    expect(readFileSync(ours).includes('simulate --nodes 16 --seeds 3')).toBe(true);
  });

  it('writes the percentiles of each run like simulate --json', async () => {
    const { percentiles } = await documentFrom('simulate --nodes 16');
    const { columns, rows } = await readTable(at('flags.parquet'));
    const of = (name: string) =>
      Object.fromEntries(['p50', 'p90', 'p99'].map((rank) => [rank, rows[0]![columns.indexOf(`${name}_${rank}`)]]));
    const { timeToThresholdMs, messagesSent, bytesSent, checked } = percentiles;
    const written = ['time_to_threshold_ms', 'messages_sent', 'bytes_sent', 'checked'].map(of);
    expect(written).toEqual([timeToThresholdMs, messagesSent, bytesSent, checked]);
  });
});
