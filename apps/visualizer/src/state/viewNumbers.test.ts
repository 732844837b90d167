import { expect, it } from 'vitest';
import { indexedRun } from '../../test/recordedRun.ts';
import { csvText } from '../files.ts';
import { flights, inFlightAt } from '../timeline/flights.ts';
import { viewNumbers } from './viewNumbers.ts';

const index = indexedRun({ nodes: 16, seed: 3 });

it.each(Object.keys(viewNumbers))('%s: every line has as many columns as the first', (view) => {
  for (const between of ['tree', 'map', 'levels'] as const) {
    const lines = [...viewNumbers[view]!({ index, node: 3, timeUs: 120_000, between })!];
    expect(lines.length).toBeGreaterThan(1);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(csvText(lines)).not.toMatch(/undefined|NaN/);
  }
});

it('has all messages in transit, even if only some of them are drawn', () => {
  const some = { ...index, flights: flights(index.recording, 5) };
  const timeUs = 120_000;
  const lines = [...viewNumbers.flight!({ index: some, node: 3, timeUs, between: 'tree' })!];
  expect(some.flights.oneIn).toBeGreaterThan(1);
  expect(lines).toHaveLength(1 + inFlightAt(some.flights, timeUs));
});

it('has a node’s messages, and the finishing time of each node', () => {
  const shown = { index, node: 3, timeUs: 0, between: 'tree' } as const;
  const messages = [...viewNumbers['time-space']!(shown)!].slice(1);
  for (const [from, to] of messages) expect([from, to]).toContain(3);
  expect([...viewNumbers.completion!(shown)!]).toHaveLength(17);
  const gossip = indexedRun({ nodes: 16, protocol: 'gossip' });
  expect(viewNumbers.growth!({ ...shown, index: gossip })).toBeUndefined();
});
