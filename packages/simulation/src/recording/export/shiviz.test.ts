import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anySmallScenario, recordingOf } from '../../../test/recordings.ts';
import { defaultScenario } from '../../scenario/scenario.ts';
import { LineKind, type Recording } from '../recording.ts';
import { shivizLog, shivizParser } from './shiviz.ts';

/** Reads a log as ShiViz does: applies its parser repeatedly to the whole text. */
function read(recording: Recording) {
  const log = [...shivizLog(recording)].join('');
  return [...log.matchAll(new RegExp(shivizParser, 'gm'))].map(({ groups }) => ({
    host: groups!.host!,
    clock: JSON.parse(groups!.clock!) as Record<string, number>,
    event: groups!.event!,
  }));
}

/**
 * Returns every event's vector clock, computed from the definition without passing clocks along. Entry h is the number
 * of events of host h that are the event itself or happened before it. An event happened before another event if a
 * chain of two relations connects them: "just before on the same host" and "sent the received message".
 */
function clocksByDefinition(recording: Recording): { host: string; clock: Record<string, number> }[] {
  const { length, kind, node, peer, timeUs, untilUs } = recording;
  const endUs = timeUs[length - 1]!;
  const events: { atUs: number; host: number; line: number; isEnd: boolean }[] = [];
  for (let line = 0; line < length; line++) {
    events.push({ atUs: timeUs[line]!, host: node[line]!, line, isEnd: false });
    if (kind[line] === LineKind.send && untilUs[line] !== -1 && untilUs[line]! <= endUs)
      events.push({ atUs: untilUs[line]!, host: peer[line]!, line, isEnd: true });
  }
  events.sort((a, b) => a.atUs - b.atUs || Number(b.isEnd) - Number(a.isEnd) || a.line - b.line);
  const sent = new Map<number, number>();
  const latest = new Map<number, number>();
  const past: Set<number>[] = [];
  return events.map(({ host, line, isEnd }, which) => {
    const before = new Set<number>([which]);
    for (const cause of [latest.get(host), isEnd ? sent.get(line) : undefined]) {
      if (cause !== undefined) for (const one of past[cause]!) before.add(one);
    }
    past.push(before);
    latest.set(host, which);
    if (!isEnd) sent.set(line, which);
    const clock: Record<string, number> = {};
    for (const one of before) clock[`node-${events[one]!.host}`] = (clock[`node-${events[one]!.host}`] ?? 0) + 1;
    return { host: `node-${host}`, clock };
  });
}

test("an event's clock counts exactly the events that happened before it", () => {
  fc.assert(
    fc.property(
      anySmallScenario.filter(({ nodes }) => nodes <= 13),
      (scenario) => {
        const recording = recordingOf(scenario);
        expect(read(recording).map(({ host, clock }) => ({ host, clock }))).toEqual(clocksByDefinition(recording));
      },
    ),
    { numRuns: 25 },
  );
});

test('a log begins with its parser and an empty line, and lists the events with their times', () => {
  const recording = recordingOf({ ...defaultScenario, nodes: 2, threshold: 1, network: 'constant:5' });
  const log = [...shivizLog(recording)].join('');
  expect(
    log.startsWith(
      `${String.raw`(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`}\n\nnode-0 {"node-0":1}\n0.000 ms: start\n`,
    ),
  ).toBe(true);
  expect(log).toContain('\nnode-1 {"node-1":3,"node-0":2}\n5.000 ms: receive level 1 from node-0\n');
  expect(log).toContain('ms: send level 1 to node-1, weight 1\n');
  expect(log).toContain('ms: check level 1 from node-0, weight 1\n');
  expect(log).toContain('ms: improve level 1 to weight 1\n');
  expect(log).toContain('ms: output of weight 2\n');
});

test('a check of an invalid contribution is marked as invalid', () => {
  const attacks = [{ name: 'invalid', share: 0.3 }];
  const events = read(recordingOf({ ...defaultScenario, nodes: 16, attacks })).map(({ event }) => event);
  const checks = events.filter((event) => event.includes('check level'));
  for (const event of checks)
    expect(event).toMatch(/^[\d.]+ ms: check level \d+ from node-\d+, weight \d+(, invalid)?$/);
  expect(checks.some((event) => event.endsWith(', invalid'))).toBe(true);
});

test('a bulk check is from several nodes', () => {
  const completeGraph = { ...defaultScenario.completeGraph, verification: 'bulk' } as const;
  const recording = recordingOf({ ...defaultScenario, protocol: 'complete-graph', completeGraph, nodes: 8 });
  const log = [...shivizLog(recording)].join('');
  expect(log).toContain(' from several nodes, weight ');
  expect(log).not.toContain('node--1');
});

test('refuses a recording without sends, and one of too many nodes', () => {
  const first = (nodes: number, sends: boolean, maxNodes?: number) => () =>
    shivizLog(recordingOf({ ...defaultScenario, nodes }, { sends }), maxNodes === undefined ? {} : { maxNodes }).next();
  expect(first(8, false)).toThrow(/^recording.sends: expected true/);
  expect(first(129, true)).toThrow(/^nodes: expected at most 128 nodes that start/);
  expect(first(9, true, 8)).toThrow(RangeError);
  expect(first(8, true, Number.NaN)).toThrow(/^maxNodes: expected an integer/);
  expect(first(129, true, 129)).not.toThrow();
  const ofByzantine = recordingOf({ ...defaultScenario, nodes: 8, attacks: [{ name: 'silent', share: 0.25 }] });
  expect(() => shivizLog(ofByzantine, { maxNodes: 8 }).next()).not.toThrow();
  const crashed = recordingOf({ ...defaultScenario, nodes: 8, faults: [{ kind: 'crash', nodes: [1], atMs: 300 }] });
  for (const recording of [ofByzantine, crashed])
    expect(() => shivizLog(recording, { maxNodes: 7 }).next()).toThrow('got 8');
});
