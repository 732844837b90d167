import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leanProfiles } from '@tutti/ethereum/lean';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { runMain } from '../test/runMain.ts';
import { csvLatencies, gmlLatencies } from './networkFile.ts';
import { readRecording } from './output/recordings.ts';

// Long enough for a busy machine: no test waits for anything.
vi.setConfig({ testTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'tutti-network-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const smallProfile = write('small.json', JSON.stringify({ ...leanProfiles['lean-2026-09'], validators: 256 }));

/** A command of each simulator that has latencies. */
const commands = [
  ['simulate', '--nodes', '16'],
  ['simulate', '--protocol', 'horn', '--nodes', '256', '--committees', '1', '--subcommittees', '4'],
  ['horn', 'compare', '--preset', 'post', '--nodes', '512', '--committees', '1', '--subcommittees', '8'],
  ['lean', 'play', '--profile', smallProfile, '--subnets', '2', '--nodes', '8'],
];

const gml = `graph [
  directed 0
  node [ id 0 label "Zurich" host_bandwidth_up "25 Mbit" ]
  node [ id 1 label "Singapore" ]
  node [ id 7 ]
  edge [ source 0 target 0 latency "1 ms" packet_loss 0.0 ]
  edge [ source 1 target 1 latency "500 us" ]
  edge [ source 7 target 7 latency "1000000 ns" ]
  edge [ source 0 target 1 latency "85 ms" ]
  edge [ source 1 target 7 latency "0.17 s" ]
]`;

describe('--network file:FILE', () => {
  it('reads a graph of Shadow, with the fastest path where there is no edge', () => {
    const { places, oneWayMs } = gmlLatencies(gml);
    expect(places).toEqual(['Zurich', 'Singapore', '7']);
    expect(oneWayMs).toEqual([
      [1, 85, 255],
      [85, 0.5, 170],
      [255, 170, 1],
    ]);
  });

  it('reads a directed graph as the interop tester of libp2p writes it, a node for each place and kind of link', () => {
    const names = ['north-supernode', 'south-supernode', 'north-fullnode', 'south-fullnode'];
    const nodes = names.map(
      (name, id) => `  node [\n    id ${id}\n    label "${name}"\n    host_bandwidth_up "50 Mbit"\n  ]`,
    );
    const ms = (from: number, to: number) => [3, 80, 90, 4][2 * (from % 2) + (to % 2)]!;
    const edges = names.flatMap((from, source) =>
      names.map(
        (to, target) =>
          `  edge [\n    source ${source}\n    target ${target}\n    label "${from} to ${to}"\n    latency "${ms(source, target)} ms"\n    packet_loss 0.0\n  ]`,
      ),
    );
    const { places, oneWayMs } = gmlLatencies(['graph [', '  directed 1', ...nodes, ...edges, ']'].join('\n'));
    expect(places).toEqual(names);
    expect(oneWayMs).toEqual(names.map((_, from) => names.map((__, to) => ms(from, to))));
  });

  it.each([
    ['1,2\n3,4', ['0', '1']],
    ['a,b\n1,2\n3,4', ['a', 'b']],
    [',a,b\na,1,2\nb,3,4', ['a', 'b']],
    ['a,1,2\nb,3,4', ['a', 'b']],
  ])('reads the matrix %j', (text, places) => {
    expect(csvLatencies(text)).toEqual({
      places,
      oneWayMs: [
        [1, 2],
        [3, 4],
      ],
    });
  });

  it('plays a slot on it, in threads too', async () => {
    const file = join(folder, 'three.gml');
    writeFileSync(file, gml);
    const args = ['slots', 'network', '--validators', '4096', '--beacon-nodes', '48', '--in-row', '1', '--json'];
    const [one, two] = await Promise.all(
      ['1', '2'].map(async (jobs) =>
        runMain([...args, '--preset', 'electra', '--network', `file:${file}`, '--jobs', jobs]),
      ),
    );
    expect(one!.code, one!.err).toBe(0);
    expect(two!.out).toBe(one!.out);
    expect(JSON.parse(one!.out).rows[0].network).toBe(`file:${file}`);
  });

  it.each([
    ['empty.gml', '', /graph: expected one in GML, got ""/],
    ['open.gml', 'graph [ node [ id', /expected names with values or groups, as GML has them, got "id"/],
    ['loop.gml', 'graph [ node [ id 0 ] ]', /node 0: expected an edge to itself, got "none"/],
    ['unit.gml', 'graph [ node [ id 0 ] edge [ source 0 target 0 latency "1" ] ]', /latency: expected a number and ns/],
    ['end.gml', 'graph [ node [ id 0 ] edge [ source 0 target 1 ] ]', /edge: expected source and target to be ids/],
    ['uneven.csv', '1,2\n3', /oneWayMs: expected a square matrix/],
    ['words.csv', 'a,b\n1,x\n2,3', /oneWayMs: expected milliseconds from 0 to 60000/],
    ['none.csv', '', /oneWayMs: expected a square matrix/],
    ['wide.csv', `${'1,'.repeat(256)}1\n`.repeat(2), /oneWayMs: expected a square matrix of 1 to 256 places/],
    ['wider.csv', `${'1,'.repeat(257)}1`, /places: expected at most 256, got 257/],
    ['longer.csv', '1\n'.repeat(258), /places: expected at most 256, got 257/],
    // The edge is wrong, too: it is not looked at before the places are counted, nor is the table of latencies made.
    [
      'one-more.gml',
      `graph [ ${'node [ id 0 ] '.repeat(257)} edge [ source 0 target 9 ] ]`,
      /places: expected at most 256, got 257/,
    ],
  ])('refuses %s in one line', async (name, text, line) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { code, err } = await runMain(['slots', 'network', '--network', `file:${file}`]);
    expect(err).toMatch(line);
    expect(code).toBe(2);
  });

  it('reads as many places as a network has, and no more', () => {
    const square = (places: number) => `${Array(places).fill('1').join(',')}\n`.repeat(places);
    expect(csvLatencies(square(256)).places).toHaveLength(256);
    expect(() => csvLatencies(square(257))).not.toThrow();
    expect(() => csvLatencies(square(258))).toThrow('places: expected at most 256, got 257');
    const head = Array.from({ length: 256 }, (_, place) => `p${place}`).join(',');
    expect(csvLatencies(`,${head}\n${square(256).replaceAll(/^/gm, 'p,').trimEnd().slice(0, -2)}`)).toBeDefined();
  });

  it('reads a graph with as many empty lines, blanks and comments as there may be', () => {
    // Each line is looked at once: at the square of a million lines this would not end.
    const filled = gml.replace(
      'directed 0',
      `directed 0\n${'\n'.repeat(2 ** 20)}${' \t'.repeat(2 ** 19)}\n  # a [ note\n`,
    );
    expect(gmlLatencies(filled)).toEqual(gmlLatencies(gml));
    expect(() => gmlLatencies(`${'"'.repeat(2 ** 20 + 1)}`)).toThrow('graph');
  });

  it('names the flag and the file in front of what is wrong', async () => {
    const file = join(folder, 'short.csv');
    writeFileSync(file, 'a,b\n1,2\n3');
    const square = 'oneWayMs: expected a square matrix of 1 to 256 places, got "2 rows for 2 places"';
    for (const command of commands)
      expect(await runMain([...command, '--network', `file:${file}`])).toEqual({
        code: 2,
        out: '',
        err: `tutti: --network: ${file}: ${square}\n`,
      });
    expect(await runMain(['simulate', '--network', 'file:'])).toEqual({
      code: 2,
      out: '',
      err: 'tutti: --network: expected file:FILE, a GML graph as Shadow\'s or a CSV matrix of ms one way, got "file:"\n',
    });
  });

  it('plays aggregations, slots of the post, proofs and set-ups on it', async () => {
    const network = `file:${write('three-more.gml', gml)}`;
    for (const command of commands) {
      const { code, err } = await runMain([...command, '--network', network, '--json']);
      expect({ code, err }, command.join(' ')).toEqual({ code: 0, err: '' });
    }
  });

  it('plays an aggregation as slow as the file says, with the same digest each time', async () => {
    const at = (name: string, ms: number) => `file:${write(name, `a,b\n${ms},${ms}\n${ms},${ms}`)}`;
    const run = async (network: string) =>
      JSON.parse((await runMain(['simulate', '--nodes', '64', '--network', network, '--json'])).out);
    const [fast, slow, again] = [
      await run(at('fast.csv', 5)),
      await run(at('slow.csv', 200)),
      await run(at('fast.csv', 5)),
    ];
    expect(slow.timeToThresholdMs.mean).toBeGreaterThan(fast.timeToThresholdMs.mean + 200);
    expect(again.digest).toBe(fast.digest);
    expect(fast.scenario.network).toMatch(/^file:.*fast\.csv$/);
  });

  it('has its places in a recording', async () => {
    const network = `file:${write('recorded.gml', gml)}`;
    const recording = join(folder, 'run.tutti');
    const { code } = await runMain(['simulate', '--nodes', '16', '--network', network, '--record', recording]);
    expect(code).toBe(0);
    const { scenario, world } = readRecording(recording);
    expect([scenario.network, world.regionNames]).toEqual([network, ['Zurich', 'Singapore', '7']]);
  });

  it('is in no link to the page', async () => {
    const network = `file:${write('linked.gml', gml)}`;
    const { code, out, err } = await runMain(['open', '--no-browser', '--network', network]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^tutti: --network: expected one that has a name, or --single-file: a link has no file, got /);
  });

  it('names the file that is not there', async () => {
    const { code, err } = await runMain(['slots', 'network', '--network', 'file:/nowhere.csv']);
    expect(err).toContain('/nowhere.csv');
    expect(code).not.toBe(0);
  });
});
