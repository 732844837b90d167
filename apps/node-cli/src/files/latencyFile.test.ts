import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { leanProfiles } from '@tutti/ethereum/lean';
import { experiments, scenariosFor } from '@tutti/lab';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { rowsOf } from '../../test/rowsOf.ts';
import { documentOf, outputOf, refusalOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { onNetwork } from '../figures/onNetwork.ts';
import { readRecording } from '../runFiles.ts';
import type { LatencyReading } from './latencies.ts';
import { readLatencies, takeNetworkFile } from './latencyFile.ts';

const { at, folder, write, writeJson } = temporaryFiles();

const smallProfile = writeJson('small.json', { ...leanProfiles['lean-2026-09'], validators: 256 });

/** One command for each simulator that uses latencies. */
const commands = [
  ['simulate', '--nodes', '16'],
  ['simulate', '--protocol', 'horn', '--nodes', '256', '--committees', '1', '--subcommittees', '4'],
  ['horn', 'systems', '--preset', 'post', '--nodes', '512', '--committees', '1', '--subcommittees', '8'],
  ['lean', 'slot', '--profile', smallProfile, '--subnets', '2', '--nodes', '8'],
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

/** The graph without the attribute that would cause a warning. */
const plainGml = gml.replace('host_bandwidth_up "25 Mbit"', '');

const asItIs: LatencyReading = { isRoundTrip: false, isShortest: false };

/** Returns the latencies of a file with that name and text; `rows` are the rows of the matrix as text. */
function latencies(
  name: string,
  text: string,
  reading: Partial<LatencyReading> = {},
  beside: (path: string) => string = () => '',
) {
  const { oneWayMs, ...rest } = readLatencies(name, text, { ...asItIs, ...reading }, beside);
  return { ...rest, rows: oneWayMs.map((row) => row.join(' ')) };
}
const gmlLatencies = (text: string) => latencies('net.gml', text);
const csvLatencies = (text: string) => latencies('net.csv', text);

it('reads a graph of Shadow, with the fastest path if there is no edge', () => {
  const { places, rows } = gmlLatencies(gml);
  expect(places).toEqual(['Zurich', 'Singapore', '7']);
  expect(rows).toEqual(['1 85 255', '85 0.5 170', '255 170 1']);
});

it('reads a directed graph, with a latency for each direction', () => {
  const edgeOf = (ms: number, index: number) => `edge [ source ${index >> 1} target ${index & 1} latency "${ms} ms" ]`;
  const edges = [3, 80, 90, 4].map(edgeOf);
  const nodes = 'node [ id 0 label "north" ] node [ id 1 label "south" ]';
  const read = gmlLatencies(`graph [ directed 1 ${nodes} ${edges.join(' ')} ]`);
  expect(read).toMatchObject({ places: ['north', 'south'], rows: ['3 80', '90 4'] });
});

it.each([
  ['numbers alone', '1,2\n3,4', ['0', '1']],
  ['names in the first row', 'a,b\n1,2\n3,4', ['a', 'b']],
  ['names in both', ',a,b\na,1,2\nb,3,4', ['a', 'b']],
  ['names in the first column', 'a,1,2\nb,3,4', ['a', 'b']],
  ['tabs', 'a\tb\n1\t2\n3\t4', ['a', 'b']],
  ['semicolons', 'a;b\n1;2\n3;4', ['a', 'b']],
  ['names that are numbers', ',7,8\n7,1,2\n8,3,4', ['7', '8']],
  ['blanks and empty lines', ' a , b \r\n\r\n 1 , 2 \r\n 3 , 4 \r\n', ['a', 'b']],
  ['line ends of Windows and names that are numbers', ',7,8\r\n7,1,2\r\n8,3,4\r\n', ['7', '8']],
  ['a blank line after the names', ',a,b\n \na,1,2\nb,3,4\n', ['a', 'b']],
  ['a list of edges', 'from,to,ms\na,a,1\na,b,2\nb,a,3\nb,b,4', ['a', 'b']],
  ['edges in other words and order', 'latency_ms\ttarget\tsource\n1\ta\ta\n2\tb\ta\n3\ta\tb\n4\tb\tb', ['a', 'b']],
])('reads a table with %s', (_, text, places) => {
  const read = csvLatencies(text);
  expect({ ...read, places: [...read.places].sort() }).toEqual({ places, rows: ['1 2', '3 4'], notes: [] });
});

it('reads a blank diagonal, as in public tables of latencies, and reports it', () => {
  const text = ',Dallas,Toronto,Frankfurt\nDallas,,17,61.5\nToronto,17,,46.5\nFrankfurt,61.5,46.5,\n';
  expect(csvLatencies(text)).toEqual({
    places: ['Dallas', 'Toronto', 'Frankfurt'],
    rows: ['0 17 61.5', '17 0 46.5', '61.5 46.5 0'],
    notes: ['the file has no latency within 3 of 3 places; 0 ms is used there'],
  });
  expect(latencies('corner.tsv', '\n\ta\tb\na\t\t5\nb\t6\t\n').rows).toEqual(['0 5', '6 0']);
});

it.each([
  ['a matrix with names', '{"places":["a","b"],"oneWayMs":[[1,50],[50,2]]}'],
  ['a table of tables', '{"a":{"a":1,"b":50},"b":{"b":2}}'],
])('reads JSON: %s', (_, text) => {
  expect(latencies('lat.json', text)).toEqual({ places: ['a', 'b'], rows: ['1 50', '50 2'], notes: [] });
});

const shadow = (graph: string, more = '') => `general: { stop_time: 10s }
network:
  graph:
    type: gml
${graph}${more}
hosts:
  a: { network_node_id: 0 }
`;
const inline = `    inline: |\n${gml.replaceAll(/^/gm, '      ')}\n`;

it("reads Shadow's YAML with the graph inside or in another file, and names ignored parts", () => {
  const { notes, ...read } = latencies('shadow.yaml', shadow(inline));
  const { notes: ofGraph, ...graph } = gmlLatencies(gml);
  expect(read).toEqual(graph);
  expect(notes).toEqual(['ignored: general, hosts', ...ofGraph]);
  const beside = latencies('dir/shadow.yaml', shadow('    file: { path: net.gml }\n'), {}, (path) => {
    expect(path).toMatch(/\/dir\/net\.gml$/);
    return gml;
  });
  expect(beside.rows).toEqual(graph.rows);
});

it("does not quote the file that Shadow's YAML names, also with an empty field for the graph inside", () => {
  for (const inside of ['', '    inline: null\n'])
    expect(() =>
      latencies('shadow.yaml', shadow(`${inside}    file: { path: net.gml }\n`), {}, () => 'graph [ secret'),
    ).toThrow(/^read as Shadow's YAML: network\.graph\.file\.path: expected a GML graph, got another format;/);
});

it('prefers a direct edge over a faster indirect path, unless the fastest paths are requested', () => {
  const triangle = `graph [ node [ id 0 ] node [ id 1 ] node [ id 2 ]
      edge [ source 0 target 0 latency "1 ms" ] edge [ source 1 target 1 latency "1 ms" ] edge [ source 2 target 2 latency "1 ms" ]
      edge [ source 0 target 1 latency "100 ms" ] edge [ source 0 target 2 latency "10 ms" ] edge [ source 2 target 1 latency "10 ms" ] ]`;
  expect(latencies('a.gml', triangle).rows[0]).toBe('1 100 10');
  expect(latencies('a.gml', triangle, { isShortest: true }).rows[0]).toBe('1 20 10');
  const yaml = (more: string) => shadow(`    inline: '${triangle}'\n`, more);
  // By default, Shadow uses the shortest path.
  expect(latencies('a.yaml', yaml('')).rows[0]).toBe('1 20 10');
  expect(latencies('a.yaml', yaml('  use_shortest_path: false')).rows[0]).toBe('1 100 10');
});

it('uses half of each round trip with rtt:FILE, and refuses a column of round trips otherwise', () => {
  const text = 'from,to,rtt_ms\na,b,80\na,a,2\nb,b,2\n';
  expect(latencies('a.csv', text, { isRoundTrip: true }).rows).toEqual(['1 40', '40 1']);
  expect(() => csvLatencies(text)).toThrow('column rtt_ms: expected one-way latencies, got round trips; use rtt:FILE');
});

it('names the ignored attributes of a graph with their number, and the ignored columns of a list of edges', () => {
  const lossy = gml
    .replace('"85 ms"', '"85 ms" packet_loss 0.5 jitter "2 ms"')
    .replace('id 7', 'id 7 country_code "SG"');
  expect(gmlLatencies(lossy).notes).toEqual([
    ...['ignored: host_bandwidth_up of 1 of 3 nodes', 'ignored: country_code of 1 of 3 nodes'],
    ...['ignored: packet_loss of 1 of 5 edges', 'ignored: jitter of 1 of 5 edges'],
  ]);
  const text = 'from,to,ms,loss,,jitter_ms\na,b,80,0.5,,2\na,a,2,0,,0\nb,b,2,0,,0\n';
  expect(csvLatencies(text).notes).toEqual(['ignored: column loss', 'ignored: column jitter_ms']);
});

it('decodes the characters that GML writes as entities', () => {
  const node = 'node [ id 0 label "S&#227;o &amp; Z&#252;r&#34;ich &#x; &zz;" ]';
  expect(gmlLatencies(`graph [ ${node} edge [ source 0 target 0 latency "1 ms" ] ]`).places).toEqual([
    'S\u00e3o & Z\u00fcr"ich &#x; &zz;',
  ]);
});

it('finds the paths between many places in a ring', () => {
  const n = isWhole ? 3000 : 600;
  const lines = Array.from({ length: n }, (_, i) => `${i},${i},1\n${i},${(i + 1) % n},10\n`);
  const { oneWayMs } = readLatencies('ring.csv', `from,to,ms\n${lines.join('')}`, asItIs, () => '');
  expect([oneWayMs[0]![1], oneWayMs[0]![n / 2], oneWayMs[17]![2]]).toEqual([10, 5 * n, 150]);
});

it.runIf(isWhole)('simulates a slot on the network, in threads too', async () => {
  const file = write('three.gml', gml);
  const line = `slots network --preset electra --validators 4096 --beacon-nodes 48 --network file:${file} --json`;
  const [one, two] = await Promise.all(
    [1, 2].map((jobs) => runMain(`${line} --max-consecutive-slots 1 --jobs ${jobs}`)),
  );
  expect(one!.code, one!.err).toBe(0);
  expect(two!.out).toBe(one!.out);
  expect(JSON.parse(one!.out).rows[0].network).toBe(`file:${file}`);
});

it('prints a name of a file on one line without control characters', async () => {
  const file = write('escape.gml', 'graph [ \u0007red 1 node [ id 0 ] edge [ source 0 target 0 latency "1 ms" ] ]');
  const { err } = await runMain(['simulate', '-n', '2', '--network', `file:${file}`, '--quiet']);
  expect(err).toMatch(/^tutti: warning: \P{Cc}*red\P{Cc}*\n$/u);
});

/** Names and texts of files, each with a part of the line that rejects it. \n: line feed, \t: tab. */
const refused = String.raw`
open.gml => graph [ node [ id => line 1: graph: expected GML text: names, each with a value or a group, got "id"
loop.gml => graph [ node [ id 0 ] ] => node 0: expected an edge from the node to itself, got none
unit.gml => graph [ node [ id 0 ]\n edge [ source 0 target 0 latency "1" ] ] => line 2: latency: expected a number with the unit ns
end.gml => graph [ node [ id 0 ]\n\n edge [ source 0 target 1 ] ] => line 3: target: expected the id of a node, got "1"
misspelt.gml => graph [ node [ id 0 ]\n edge [ source 0 target 0 latency "1 ms" ]\n node [ id 1 lable "x" ] edge [ source 1 target 1 latency "1 ms" ] edge [ source 0 target 1 latency "1 ms" ] ] => line 3: node: expected an attribute of a node, got "lable" (Did you mean label?)
apart.gml => graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 0 latency "1 ms" ] edge [ source 1 target 1 latency "1 ms" ] ] => "0" to "1": expected a latency or a path of edges, got none
uneven.csv => 1,2\n3 => read as a square table with commas: line 2: expected 2 latencies, as in the previous line, got 1
words.csv => a,b\n1,x\n2,3 => line 2, column 2: expected milliseconds, got "x"
late.csv => \n \na,b\n1,x\n2,3 => line 4, column 2: expected milliseconds, got "x"
late-edges.csv => \nfrom,to,ms\na,b,x => line 3, column 3: expected milliseconds, got "x"
late-comma.csv => \n0;5,5;7 => line 2, column 2: expected milliseconds with a decimal point
deep.gml => graph [ a [ a [ a [ a [ a [ a [ a [ a [ a 1 ] ] ] ] ] ] ] ] ] => line 1: graph: expected at most 8 nested groups, got more
blank.csv => a,b\n1,\n2,3 => line 2, column 2: expected milliseconds, got a blank cell
long.csv => a,b\n1,60001\n2,3 => line 2, column 2: expected milliseconds from 0 to 60000, got 60001
edges.csv => from,to,ms\na,b,x => read as a list of edges with commas: line 2, column 3: expected milliseconds, got "x"
again.csv => from,to,ms\na,b,1\na,b,2\nb,a,3\na,a,0\nb,b,x => line 3: expected each pair once, got a repeated pair
short.csv => from,to,ms\na,b => line 2, column 3: expected milliseconds, got no cell
map.json => {"a":{"b":"fast"}} => read as JSON: a.b: expected milliseconds from 0 to 60000, got no number
list.json => [1] => read as JSON: the file: expected an object whose keys are places, got an array of 1
switch.yaml => network: { graph: { type: 1_gbit_switch } } => read as Shadow's YAML: network.graph.type: expected gml, got "1_gbit_switch"
typo.yaml => network: { grap: {} } => network.grap: expected a field of Shadow's configuration, got "grap" (Did you mean graph?)
part.gml => graph [ node [ id 0 ] => line 1: graph: expected one ] for each [, got fewer
rest.gml => graph [ ] ] graph [ ] => line 1: graph: expected one ] for each [, got more
two.gml => graph [ ]\ngraph [ ] => line 2: graph: expected one graph, got several
directed.gml => graph [ node [ id 0 ] directed yes ] => line 1: directed: expected 0 or 1, got "yes"
no-id.gml => graph [ node [ label "a" ] ] => line 1: node: expected an id, got none
values.gml => graph [ node [ id 0 ]\n edge [ source 0 target 0 latency "1 ms" latency "2 ms" ] ] => line 2: latency: expected one value, got several
infinite.csv => 1,1e400\n2,3 => line 1, column 2: expected milliseconds from 0 to 60000, got Infinity
order.csv => ,a,b\nb,1,2\na,3,4 => line 2, column 1: expected "a", as in column 2 of the first row, got "b"
names.csv => a,a\n1,2\n3,4 => places: expected different names, got "a"
text.yaml => network: { use_shortest_path: "false", graph: { type: gml, inline: "graph [ ]" } } => network.use_shortest_path: expected true or false, got "false"
`;
it.each<readonly [string, string, string | RegExp]>([
  ...rowsOf(refused).map(
    ([name, text, line]) => [name, text.replaceAll('\\n', '\n').replaceAll('\\t', '\t'), line] as const,
  ),
  ['empty.gml', '', /read as a GML graph: graph: expected one in GML, got ""/],
  [
    'many.gml',
    `graph [ ${Array.from({ length: 101 }, (_, one) => `a${one} 1\n`).join('')} ]`,
    /line 1\d\d: graph: expected at most 100 attributes of a group, got more/,
  ],
  [
    'names.gml',
    `graph [ ${Array.from({ length: 101 }, (_, one) => `node [ id ${one} a${one} 1 ] edge [ source ${one} target ${one} latency "1 ms" ]`).join('\n')} ]`,
    /node: expected at most 100 different attributes, got more/,
  ],
  [
    'long.gml',
    `graph [ node [ id 0 label "${'a'.repeat(10_000)}" ] ]`,
    /^(?=.{1000,2100}$).*expected an edge from the node to itself, got none$/m,
  ],
  ['commas.csv', '0;5,5;7\n', /line 1, column 2: expected milliseconds with a decimal point, got "5,5"/],
  ['comments', '#\n'.repeat(500_000), /read as a square table/],
  // The edge is invalid too, but places are counted before edges are read and before the table is allocated.
  ['one-more.gml', `graph [ ${'node [ id 0 ] '.repeat(4097)} edge [ source 0 target 9 ] ]`, /at most 4096, got 4097/],
])('refuses %s in one line', async (name, text, line) => {
  expect(refusalOf(await runMain(`slots network --network file:${write(name, text)}`))).toMatch(line);
});

it.runIf(isWhole)('simulates more places than a recording can have, and refuses to record them', async () => {
  const lines = Array.from({ length: 300 }, (_, i) => `${i},${i},1\n${i},${(i + 1) % 300},10\n`);
  const network = `file:${write('ring.csv', `from,to,ms\n${lines.join('')}`)}`;
  outputOf(await runMain(['simulate', '--nodes', '600', '--network', network, '--json']));
  const recorded = await runMain(['simulate', '--nodes', '16', '--network', network, '--record', at('r')]);
  // The error occurs while the file is read, before the command computes the fastest paths of a large file.
  expect(recorded.err).toMatch(
    /read as a list of edges .*: places: expected at most 256 in a recorded run, got 300\n$/,
  );
});

it('the reader accepts at most as many places as a network can have', () => {
  expect(() => csvLatencies(`${'1,'.repeat(4096)}1`)).toThrow('places: expected at most 4096, got 4097');
  const names = Array.from({ length: 4097 }, (_, place) => `a,p${place},1`);
  expect(() => csvLatencies(`from,to,ms\n${names.join('\n')}`)).toThrow('places: expected at most 4096, got 4097');
});

it('counts the places of a table of tables, and checks each row, before it creates anything', () => {
  const row = Object.fromEntries(Array.from({ length: 4097 }, (_, place) => [`p${place}`, 1]));
  const more = JSON.stringify({ p0: row });
  expect(() => latencies('more.json', more)).toThrow('places: expected at most 4096, got 4097');
  expect(() => latencies('text.json', JSON.stringify({ p0: 'x'.repeat(1e6) }))).toThrow('p0: expected fields');
});

it('the reader does not split a line that is longer than the longest possible row', () => {
  expect(() => csvLatencies(','.repeat(262_144))).toThrow('places: expected at most 4096, got 262145');
  for (const text of [','.repeat(262_145), `a,b\n${','.repeat(262_145)}`])
    expect(() => csvLatencies(text)).toThrow('expected at most 262144 characters, got 262145');
});

it('reads the beginning of a file once if its name does not state its format', () => {
  // If reading took quadratic time in the number of lines, this test would exceed its timeout.
  expect(() => latencies('blank', '\n'.repeat(2 ** 20))).toThrow('expected at least 1, got 0');
});

it('reads a graph with the maximum number of empty lines, blanks and comments', () => {
  // With quadratic reading time, a million lines would exceed this test's timeout.
  const more = `${'\n'.repeat(2 ** 20)}${' \t'.repeat(2 ** 19)}\n  # a [ note\n`;
  const filled = gml.replace('directed 0', `directed 0\n${more}`);
  expect(gmlLatencies(filled)).toEqual(gmlLatencies(gml));
  expect(() => gmlLatencies(`${'"'.repeat(2 ** 20 + 1)}`)).toThrow('graph');
});

it('names the flag and the file before the error', async () => {
  const file = write('short.csv', 'a,b\n1,2\n3');
  const square = 'read as a square table with commas: line 3: expected 2 latencies, as in the previous line, got 1';
  for (const command of commands)
    expect(refusalOf(await runMain([...command, '--network', `file:${file}`]))).toBe(`--network: ${file}: ${square}`);
});

it('simulates aggregations, slots of the post, proofs and parameter studies on the network', async () => {
  const network = `file:${write('three-more.gml', plainGml)}`;
  for (const command of commands) outputOf(await runMain([...command, '--network', network, '--json']));
});

it.each([
  ['claims', 'swarm', '--seeds', '1', '--max-nodes', '4', '--jobs', '1'],
  ['claims', 'swarm', '--scenario', '{"nodes":4,"network":"NETWORK"}'],
  ['attack', 'search', '--nodes', '8', '--tries', '1', '--jobs', '1'],
  ['attack', 'table', '--nodes', '8', '--shares', '0.3', '--jobs', '1', '--run-folder', folder],
])('names the file and its hash in the result of %s, whose threads use the network', async (...command) => {
  const file = write('threads.csv', 'a,b\n1,20\n20,1\n');
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  const words = command.map((word) => word.replace('NETWORK', `file:${file}`));
  const given = words.includes('--scenario') ? words : [...words, '--network', `file:${file}`];
  expect(documentOf(await runMain([...given, '--json'])).inputs).toEqual([{ file, sha256 }]);
});

it('a file is accepted by figures whose runs all use one network without machines', () => {
  const network = `file:${write('figures.csv', 'a,b\n1,20\n20,1\n')}`;
  takeNetworkFile(network);
  const figure = (name: string) => experiments.find(({ id }) => id === name)!;
  const [on] = onNetwork([figure('growth')], network, 'tiny');
  expect(new Set(scenariosFor(on!, 'tiny').map((run) => run.network))).toEqual(new Set([network]));
  expect(() => onNetwork(['fig3', 'growth', 'latencies'].map(figure), network, 'tiny')).toThrow(
    'got fig3 (uses AWS machines), latencies (compares networks); say --only growth',
  );
});

it('stores the places of the file in a recording', async () => {
  const network = `file:${write('recorded.gml', gml)}`;
  const recording = at('run.tutti');
  await runMain(['simulate', '--nodes', '16', '--network', network, '--record', recording]);
  const { scenario, world } = readRecording(recording);
  expect([scenario.network, world.regionNames]).toEqual([network, ['Zurich', 'Singapore', '7']]);
});

it('a file is refused in a link to the page', async () => {
  expect(refusalOf(await runMain(`open --no-browser --network file:${write('linked.gml', plainGml)}`))).toMatch(
    /^--network: expected a network with a name, or --single-file, because a link cannot contain a file, got /,
  );
});
