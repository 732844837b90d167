import { readFileSync } from 'node:fs';
import {
  defaultNetworkScenario,
  linkPresets,
  runNetworkSlot,
  systemOf,
  validateNetworkScenario,
} from '@tutti/ethereum';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { pieces } from '../guide/explanation.ts';
import { mapFile, mapTableOf } from './mapTable.ts';
import {
  choiceOfPoint,
  type FrontierCell,
  nodeNumbers,
  queueNumbers,
  reachOfClass,
  reachOfNodes,
  readNetworkFile,
} from './networkFile.ts';
import { networkScenario } from './networkState.ts';
import { networkChapters, networkCommand, networkRounds } from './networkText.ts';

const scenarioOfPoint = (cell: FrontierCell, seconds: number) => networkScenario(choiceOfPoint(cell, seconds));
const stored = JSON.parse(readFileSync(new URL('./network.json', import.meta.url), 'utf8'));
const { version, lanes, frontier } = readNetworkFile(stored);

it('reads the slots of the page: every step of every recorded node', () => {
  expect(lanes.map(({ scenario }) => scenario.system)).toEqual(['electra', 'strawman', 'horn', 'handel-committees']);
  for (const { scenario, result, steps } of lanes) {
    // The page finds a recorded slot by the slot's scenario, with all fields in this order.
    const asked = { ...defaultNetworkScenario, system: scenario.system };
    expect(JSON.stringify(scenario)).toBe(JSON.stringify(asked));
    expect(steps.reach).toHaveLength(steps.observers.length * steps.sent.length);
    expect(steps.sent.at(-1)).toBeLessThanOrEqual(result.globalMessages);
  }
  for (const { slotSeconds, simulated } of frontier.cells)
    for (const one of simulated)
      expect(one.inReachPercent >= 99).toBe(slotSeconds !== null && one.slotSeconds >= slotSeconds);
});

it('converts every point of the map into a different slot that can be simulated', () => {
  const { slotSeconds, cells } = frontier;
  const slots = cells.flatMap((cell) => slotSeconds.map((seconds) => scenarioOfPoint(cell, seconds)));
  for (const scenario of slots) validateNetworkScenario(scenario);
  // The slot under today's assumptions is among both the proposals and the links.
  expect(new Set(slots.map((one) => JSON.stringify(one))).size).toBe(slots.length - slotSeconds.length);
});

it.runIf(isWhole)('simulates a point of the map like the command: by proposal, and by links and validators', () => {
  const { cells } = frontier;
  const points = [
    cells.find(({ inputs }) => inputs?.proposal === 'gloas+cap'),
    cells.find(({ inputs }) => inputs?.links === 'home' && inputs.validators === '131072'),
  ].map((cell) => ({ cell: cell!, point: cell!.simulated[0]! }));
  for (const { cell, point } of points) {
    const { inReach } = runNetworkSlot(scenarioOfPoint(cell, point.slotSeconds)).result;
    expect(Math.min(100, 100 * inReach.mean)).toBe(point.inReachPercent);
  }
});

const lane = lanes.find(({ scenario }) => scenario.system === 'horn')!;
const last = lane.steps.sent.length - 1;

it('exports each observed node with its class, and each step of the queue', () => {
  const [, ...nodes] = nodeNumbers(lane, last);
  expect(new Set(nodes.map(([node]) => node))).toEqual(new Set(lane.steps.observers));
  expect(new Set(nodes.map(([, name]) => name))).toEqual(new Set(['home', 'datacenter']));
  const [titles, ...steps] = queueNumbers(lane);
  expect(titles).toEqual(['time_seconds', 'messages_sent', 'verified_home', 'verified_datacenter']);
  expect(steps).toHaveLength(last + 1);
  expect(steps.at(-1)![1]).toBe(lane.result.globalMessages);
});

it('averages a class over its nodes, and all over both classes, from none to all', () => {
  expect(reachOfNodes(lane, 0)).toBe(0);
  expect(reachOfNodes(lane, last)).toBe(100);
  const middle = lane.steps.sent.findIndex((sent) => sent > 0) + 4;
  const [, ...rows] = nodeNumbers(lane, middle);
  const shares = (name: string) => rows.filter((row) => row[1] === name).map((row) => Number(row[2]));
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  expect(reachOfClass(lane, 0, middle)).toBeCloseTo(mean(shares('home')), 9);
  expect(reachOfClass(lane, 1, middle)).toBeCloseTo(mean(shares('datacenter')), 9);
  expect(reachOfNodes(lane, middle)).toBeCloseTo(mean([...shares('home'), ...shares('datacenter')]), 9);
  expect(reachOfClass(lane, 2, middle)).toBeUndefined();
});

it('has a row for each simulated slot, each with its command', async () => {
  const { columns, rows } = mapTableOf(frontier);
  expect(rows).toHaveLength(frontier.cells.reduce((sum, { simulated }) => sum + simulated.length, 0));
  expect(columns).toEqual(expect.arrayContaining(['preset', 'slot_ms', 'in_reach_percent', 'shortest_slot_ms']));
  const commands = rows.map((row) => row[columns.indexOf('command')]);
  expect(commands).toContain(
    'tutti slots network --preset electra --validators 131072 --slot-ms 2000 --links home --machine raspberry-pi-4',
  );
  const cellsOf = (row: (typeof rows)[number]) => Object.fromEntries(columns.map((name, at) => [name, row[at]]));
  const [home] = rows.map(cellsOf).filter(({ command }) => String(command).includes('--links home'));
  expect(home).toMatchObject({ network: defaultNetworkScenario.network, links: 'home' });
  const csv = await (await mapFile(frontier, version, 'csv')).text();
  expect(csv.trimEnd().split('\n')).toHaveLength(rows.length + 1);
  const file = await (await mapFile(frontier, version, 'parquet')).arrayBuffer();
  const read = await parquetReadObjects({ file });
  // In the file, a seed is a 64-bit integer.
  const plain = (cell: unknown) => (typeof cell === 'bigint' ? Number(cell) : (cell ?? null));
  expect(read.map((row) => columns.map((name) => plain(row[name])))).toEqual(rows);
  expect(parquetMetadata(file).key_value_metadata).toContainEqual({ key: 'tutti_version', value: version });
});

it.each([
  ['', {}],
  [
    '--links home --distribution heavy-tailed --seed 7',
    { links: linkPresets.home, distribution: 'heavy-tailed', seed: 7 },
  ],
  ['--machine raspberry-pi-4', { client: { ...defaultNetworkScenario.client, machine: 'raspberry-pi-4' } }],
  ['--eve 0.33', { attacks: [{ name: 'griefing', share: 0.33 }] }],
  ['--eve 0.1 --eve-attack late', { attacks: [{ name: 'late', share: 0.1 }] }],
] as const)('networkCommand names the settings that differ from the assumptions: %s', (flags, changes) => {
  const command = networkCommand({ ...defaultNetworkScenario, ...changes });
  expect(command).toBe(`npx tutti slots network --preset horn ${flags}`.trimEnd());
});

it.each(lanes)('describes each round of $scenario.system in order, from the block to the next', (lane) => {
  const chapters = networkChapters(lane);
  expect(chapters).toEqual(chapters.toSorted((a, b) => a.timeUs - b.timeUs));
  expect(chapters[0]!.title).toBe('The block');
  expect(chapters.at(-1)).toMatchObject({ title: 'Next block', timeUs: 1000 * systemOf(lane.scenario).slotMs });
  for (const { fromUs } of networkRounds(lane.scenario))
    expect(chapters).toContainEqual(expect.objectContaining({ timeUs: fromUs }));
});

it.each([
  ['electra', 'Aggregates', /1,023 messages \(0\.45 MB\) go to the global topic/],
  ['horn', 'Aggregates', /No aggregate goes to the global topic/],
  ['horn', 'Collections', /488 messages/],
  ['handel-committees', 'Results', /488 messages/],
])('%s: the chapter "%s" states its messages', (system, title, words) => {
  const chapters = networkChapters(lanes.find(({ scenario }) => scenario.system === system)!);
  const shown = pieces(chapters.find((chapter) => chapter.title === title)!.text);
  expect(shown.map((piece) => piece.text).join('')).toMatch(words);
});
