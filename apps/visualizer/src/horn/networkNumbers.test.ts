import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readNetworkFile } from './networkFile.ts';
import { nodeNumbers, queueNumbers, reachOfClass, reachOfNodes } from './networkNumbers.ts';

const { lanes } = readNetworkFile(JSON.parse(readFileSync(new URL('./network.json', import.meta.url), 'utf8')));
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
