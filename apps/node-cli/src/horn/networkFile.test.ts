import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';
import { csvLatencies, gmlLatencies } from './networkFile.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-network-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    const args = ['horn', 'network', '--validators', '4096', '--beacon-nodes', '48', '--in-row', '1', '--json'];
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
    ['empty.gml', '', /the file: expected a graph in GML, got ""/],
    ['open.gml', 'graph [ node [ id', /expected names with values or groups, as GML has them, got "id"/],
    ['loop.gml', 'graph [ node [ id 0 ] ]', /node 0: expected an edge to itself, got "none"/],
    ['unit.gml', 'graph [ node [ id 0 ] edge [ source 0 target 0 latency "1" ] ]', /latency: expected a number and ns/],
    ['end.gml', 'graph [ node [ id 0 ] edge [ source 0 target 1 ] ]', /edge: expected source and target to be ids/],
    ['uneven.csv', '1,2\n3', /oneWayMs: expected a square matrix/],
    ['words.csv', 'a,b\n1,x\n2,3', /oneWayMs: expected milliseconds from 0 to 60000/],
    ['none.csv', '', /oneWayMs: expected a square matrix/],
  ])('refuses %s in one line', async (name, text, line) => {
    const file = join(folder, name);
    writeFileSync(file, text);
    const { code, err } = await runMain(['horn', 'network', '--network', `file:${file}`]);
    expect(err).toMatch(line);
    expect(code).toBe(2);
  });

  it('names the file that is not there', async () => {
    const { code, err } = await runMain(['horn', 'network', '--network', 'file:/nowhere.csv']);
    expect(err).toContain('/nowhere.csv');
    expect(code).not.toBe(0);
  });
});
