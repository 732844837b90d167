import { readFileSync } from 'node:fs';
import { defaultNetworkScenario, runNetworkSlot, validateNetworkScenario } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
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

const scenarioOfPoint = (cell: FrontierCell, seconds: number) => networkScenario(choiceOfPoint(cell, seconds));
const stored = JSON.parse(readFileSync(new URL('./network.json', import.meta.url), 'utf8'));

it('reads the slots of the page: every step of every recorded node', () => {
  const { lanes, frontier } = readNetworkFile(stored);
  expect(lanes.map(({ scenario }) => scenario.system)).toEqual(['electra', 'strawman', 'horn', 'handel-committees']);
  for (const { scenario, result, steps } of lanes) {
    // The page finds a recorded slot by its scenario, with all fields in this order.
    const asked = { ...defaultNetworkScenario, system: scenario.system };
    expect(JSON.stringify(scenario)).toBe(JSON.stringify(asked));
    expect(steps.reach).toHaveLength(steps.observers.length * steps.sent.length);
    expect(steps.sent.at(-1)).toBeLessThanOrEqual(result.globalMessages);
  }
  for (const { slotSeconds, simulated } of frontier.cells) {
    for (const one of simulated) {
      expect(one.inReachPercent >= 99).toBe(slotSeconds !== null && one.slotSeconds >= slotSeconds);
    }
  }
});

it('converts every point of the map into a different slot that can be simulated', () => {
  const { slotSeconds, cells } = readNetworkFile(stored).frontier;
  const slots = cells.flatMap((cell) => slotSeconds.map((seconds) => scenarioOfPoint(cell, seconds)));
  for (const scenario of slots) validateNetworkScenario(scenario);
  // The slot with today's assumptions is among both the proposals and the links.
  const different = new Set(slots.map((scenario) => JSON.stringify(scenario)));
  expect(different.size).toBe(slots.length - slotSeconds.length);
});

it.runIf(isWhole)('simulates a point of the map like the command: by proposal, and by links and validators', () => {
  const { cells } = readNetworkFile(stored).frontier;
  const points = [
    cells.find(({ inputs }) => inputs?.proposal === 'gloas+cap'),
    cells.find(({ inputs }) => inputs?.links === 'home' && inputs.validators === '131072'),
  ].map((cell) => ({ cell: cell!, point: cell!.simulated[0]! }));
  for (const { cell, point } of points) {
    const { inReach } = runNetworkSlot(scenarioOfPoint(cell, point.slotSeconds)).result;
    expect(Math.min(100, 100 * inReach.mean)).toBe(point.inReachPercent);
  }
});

const { lanes } = readNetworkFile(stored);
const lane = lanes.find(({ scenario }) => scenario.system === 'horn')!;
const last = lane.steps.sent.length - 1;

it('lists the recorded nodes, each with its class and its votes in reach', () => {
  const [head, ...rows] = nodeNumbers(lane, last);
  expect(head).toEqual(['node', 'class', 'in_reach_percent']);
  expect(rows.map(([node]) => node).toSorted((a, b) => Number(a) - Number(b))).toEqual(
    lane.steps.observers.toSorted((a, b) => a - b),
  );
  expect(new Set(rows.map(([, name]) => name))).toEqual(new Set(['home', 'datacenter']));
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

it('lists the queue, one line per step', () => {
  const [head, ...rows] = queueNumbers(lane);
  expect(head).toEqual(['time_seconds', 'messages_sent', 'verified_home', 'verified_datacenter']);
  expect(rows).toHaveLength(last + 1);
  expect(rows.at(-1)![1]).toBe(lane.result.globalMessages);
});
