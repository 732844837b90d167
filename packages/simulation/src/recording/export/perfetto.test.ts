import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { anySmallScenario, recordingOf } from '../../../test/recordings.ts';
import { defaultScenario } from '../../scenario/scenario.ts';
import { LineKind, type Recording } from '../recording.ts';
import { type PerfettoOptions, perfettoTrace } from './perfetto.ts';

const schema = protobuf.parse(readFileSync(new URL('../../../test/perfetto.proto', import.meta.url), 'utf8')).root;

type TraceEvent = ReturnType<typeof readPerfettoTrace>['events'][number];

type Track = Readonly<Record<'name' | 'kind', string> & Record<'parent' | 'pid' | 'tid', number | undefined>>;

const eventTypes = { 1: 'begin', 2: 'end', 3: 'instant', 4: 'counter' } as const;

/** Reads a trace as Perfetto does. A packet that refers to missing data, which Perfetto drops, is an error. */
function readPerfettoTrace(bytes: Uint8Array) {
  const message = schema.lookupType('Trace');
  const { packet } = message.toObject(message.decode(bytes), { longs: Number });
  const tracks = new Map<number, Track>();
  const events = [];
  const eventNames = new Map<number, string>();
  const annotationNames = new Map<number, string>();
  for (const [which, one] of packet.entries()) {
    if (one.trustedPacketSequenceId !== 1) throw new Error(`packet ${which} is on no sequence`);
    if (one.sequenceFlags !== (which === 0 ? 3 : 2)) throw new Error(`packet ${which} has other flags`);
    if ((one.firstPacketOnSequence === true) !== (which === 0)) throw new Error(`packet ${which} says it is the first`);
    for (const { iid, name } of one.internedData?.eventNames ?? []) eventNames.set(iid, name);
    for (const { iid, name } of one.internedData?.debugAnnotationNames ?? []) annotationNames.set(iid, name);
    if (one.trackDescriptor) {
      const { uuid, name, parentUuid, process, thread, counter } = one.trackDescriptor;
      if (tracks.has(uuid)) throw new Error(`track ${uuid} is described twice`);
      if (parentUuid !== undefined && !tracks.has(parentUuid)) throw new Error(`track ${uuid} has no parent yet`);
      tracks.set(uuid, {
        name: name ?? process?.processName ?? thread?.threadName ?? '',
        kind: counter ? 'counter' : thread ? 'thread' : 'process',
        parent: parentUuid,
        pid: process?.pid ?? thread?.pid,
        tid: thread?.tid,
      });
    }
    if (one.trackEvent) {
      const { type, nameIid, trackUuid, counterValue, flowIds, terminatingFlowIds, debugAnnotations } = one.trackEvent;
      const track = tracks.get(trackUuid);
      if (track === undefined) throw new Error(`an event of packet ${which} is on a track that is not described`);
      if ((type === 4) !== (track.kind === 'counter')) throw new Error(`packet ${which} is on another kind of track`);
      events.push({
        timeUs: one.timestamp / 1000,
        type: eventTypes[type as 1],
        track: trackUuid,
        name: nameIid === undefined ? undefined : known(eventNames, nameIid),
        annotations: Object.fromEntries(
          (debugAnnotations ?? []).map((of: { readonly nameIid: number; readonly intValue: number }) => [
            known(annotationNames, of.nameIid),
            of.intValue,
          ]),
        ),
        value: counterValue ?? 0,
        flows: flowIds ?? [],
        endingFlows: terminatingFlowIds ?? [],
      });
    }
  }
  return { tracks, events };
}

function known(names: ReadonlyMap<number, string>, iid: number): string {
  const name = names.get(iid);
  if (name === undefined) throw new Error(`name ${iid} is not interned`);
  return name;
}

function exported(recording: Recording, options?: PerfettoOptions) {
  return readPerfettoTrace(Buffer.concat([...perfettoTrace(recording, options)]));
}

const trackOf = (tracks: Map<number, Track>, name: string, parent?: number): number => {
  for (const [uuid, track] of tracks) {
    if (track.name === name && (parent === undefined || track.parent === parent)) return uuid;
  }
  throw new Error(`no track ${name}`);
};
const lastValue = (events: TraceEvent[], track: number): number =>
  events.filter((event) => event.track === track).at(-1)?.value ?? 0;

const small = recordingOf({ ...defaultScenario, nodes: 50, dead: 0.2, seed: 3 });
const { tracks, events } = exported(small);
const endUs = small.timeUs[small.length - 1]!;
const lines = (kind: LineKind): number[] =>
  Array.from({ length: small.length }, (_, line) => line).filter((line) => small.kind[line] === kind);

test('every live node is a thread of its region, and every region a process', () => {
  const threads = [...tracks.values()].filter((track) => track.kind === 'thread');
  expect(threads.length).toBe(small.result.live);
  expect(new Set(threads.map((track) => track.tid)).size).toBe(threads.length);
  for (let id = 0; id < 50; id++) {
    const track = threads.find(({ name }) => name === `node ${id}`);
    expect(track !== undefined).toBe(small.world.role[id] === 1);
    if (!track) continue;
    const region = tracks.get(track.parent!)!;
    expect(region).toMatchObject({ kind: 'process', name: small.world.regionNames[small.world.region[id]!] });
    expect(track.pid).toBe(region.pid);
    expect(track.tid).not.toBe(track.pid);
  }
});

test('a node that crashes later is a thread too', () => {
  const faults = [{ kind: 'crash', nodes: [1], atMs: 300 }] as const;
  const { tracks } = exported(recordingOf({ ...defaultScenario, nodes: 8, faults }));
  expect([...tracks.values()].filter(({ kind }) => kind === 'thread')).toHaveLength(8);
});

test('every check is a slice of its node with its time, end, level and weight, and slices do not overlap', () => {
  const slices = lines(LineKind.check).map((line) => ({
    track: trackOf(tracks, `node ${small.node[line]}`),
    name: `check level ${small.level[line]}`,
    beginUs: small.timeUs[line]!,
    endUs: small.untilUs[line]! <= endUs ? small.untilUs[line] : undefined,
    annotations: { from: small.peer[line]!, weight: small.value[line]! } as TraceEvent['annotations'],
  }));
  const drawn: typeof slices = [];
  const open = new Map<number, (typeof slices)[number]>();
  for (const event of events) {
    if (event.type === 'begin') {
      expect(open.has(event.track)).toBe(false);
      const { track, name, timeUs: beginUs, annotations } = event;
      const slice = { track, name: name!, beginUs, endUs: undefined as number | undefined, annotations };
      open.set(track, slice);
      drawn.push(slice);
    } else if (event.type === 'end') {
      open.get(event.track)!.endUs = event.timeUs;
      open.delete(event.track);
    }
  }
  expect(drawn).toEqual(slices);
  expect(drawn.length).toBeGreaterThan(100);
});

test('every delivered message is one flow from its sender to its receiver, and lost ones have none', () => {
  const flows = new Map<number, { from?: TraceEvent; to?: TraceEvent }>();
  for (const event of events) {
    for (const id of event.flows) flows.set(id, { from: event });
    for (const id of event.endingFlows) {
      const flow = flows.get(id)!;
      expect(flow.to).toBe(undefined);
      flow.to = event;
    }
  }
  const sends = lines(LineKind.send).filter((line) => small.untilUs[line] !== -1);
  expect(flows.size).toBe(sends.length);
  for (const line of sends) {
    const { from, to } = flows.get(line + 1)!;
    expect(from).toMatchObject({
      type: 'instant',
      name: `send level ${small.level[line]}`,
      timeUs: small.timeUs[line],
      track: trackOf(tracks, `node ${small.node[line]}`),
      annotations: { to: small.peer[line], weight: small.value[line] },
    });
    if (small.untilUs[line]! > endUs) expect(to).toBe(undefined);
    else
      expect(to).toMatchObject({
        type: 'instant',
        name: `receive level ${small.level[line]}`,
        timeUs: small.untilUs[line],
        track: trackOf(tracks, `node ${small.peer[line]}`),
        annotations: { from: small.node[line] },
      });
  }
  const lost = events.filter((event) => event.name?.endsWith(', lost'));
  expect(lost.length).toBe(lines(LineKind.send).length - sends.length);
  expect(lost.length).toBeGreaterThan(0);
});

test('counters end at the contributions of each node, the number of outputs, and the messages in transit', () => {
  for (let id = 0; id < 50; id++) {
    if (small.world.role[id] === 0) continue;
    const inLevel = new Map<number, number>();
    for (const line of lines(LineKind.improve)) {
      if (small.node[line] === id) inLevel.set(small.level[line]!, small.value[line]!);
    }
    const held = trackOf(tracks, 'contributions held', trackOf(tracks, `node ${id}`));
    expect(lastValue(events, held)).toBe([...inLevel.values()].reduce((sum, weight) => sum + weight, 1));
  }
  expect(lastValue(events, trackOf(tracks, 'nodes that have an output'))).toBe(small.result.reached);
  const inFlight = trackOf(tracks, 'messages in flight');
  const samples = events.filter((event) => event.track === inFlight);
  expect(samples.length).toBeGreaterThan(endUs / 2000);
  for (const { timeUs, value } of samples.slice(1)) {
    const underWay = lines(LineKind.send).filter(
      (line) => small.timeUs[line]! < timeUs && small.untilUs[line]! >= timeUs,
    );
    expect(value).toBe(underWay.length);
  }
});

test('a bulk check is from several nodes', () => {
  const completeGraph = { ...defaultScenario.completeGraph, verification: 'bulk' } as const;
  const recording = recordingOf({ ...defaultScenario, protocol: 'complete-graph', completeGraph, nodes: 8 });
  const bulk = exported(recording).events.find(({ name }) => name?.endsWith(' from several nodes'));
  expect(Object.keys(bulk!.annotations)).toEqual(['weight']);
});

test('times never decrease, in any run', () => {
  fc.assert(
    fc.property(anySmallScenario, fc.boolean(), (scenario, sends) => {
      const { events } = exported(recordingOf(scenario, { sends }));
      const times = events.map(({ timeUs }) => timeUs);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
    { numRuns: 10 },
  );
});

test('without sets, the same levels are complete', () => {
  expect(exported(recordingOf(small.scenario, { setsUpTo: 0 })).events).toEqual(events);
});

test('without messages, the other tracks are the same', () => {
  const isMessage = ({ name }: TraceEvent): boolean => /^(send|receive) /.test(name ?? '');
  const inFlight = trackOf(tracks, 'messages in flight');
  const rest = events.filter((event) => !isMessage(event) && event.track !== inFlight);
  expect(exported(small, { messages: false }).events).toEqual(rest);
  expect(exported(recordingOf(small.scenario, { sends: false })).events).toEqual(rest);
});

test('includes the effects of adversaries, and names may have any characters', () => {
  const kind = small.kind.slice();
  const value = small.value.slice();
  const check = kind.indexOf(LineKind.check);
  const [refuse, blacklist] = lines(LineKind.send) as [number, number];
  value[check]! *= -1;
  kind[refuse] = LineKind.refuse;
  value[refuse] = 4;
  kind[blacklist] = LineKind.blacklist;
  const untilUs = small.untilUs.with(refuse, -1).with(blacklist, -1);
  const world = { ...small.world, regionNames: small.world.regionNames.map((name) => `${name} 東京 🌏`) };
  const changed = exported({ ...small, kind, value, untilUs, world });
  const named = (name: string) => changed.events.filter((event) => event.name === name);
  expect(named(`check level ${small.level[check]}, invalid`)[0]!.annotations.weight).toBe(small.value[check]);
  const outputs = lines(LineKind.output).map((line) => small.value[line]);
  expect(named('output').map(({ annotations }) => annotations.weight)).toEqual(outputs);
  expect(named('refuse: sender-not-in-peer-set')[0]!.annotations).toEqual({ from: small.peer[refuse] });
  expect(named('blacklist')[0]!.annotations).toEqual({ from: small.peer[blacklist] });
  expect([...changed.tracks.values()].filter(({ name }) => name.endsWith('東京 🌏')).length).toBe(11);
});

test('splits a long run into parts of about a megabyte', () => {
  const parts = [...perfettoTrace(recordingOf({ ...defaultScenario, nodes: 300 }))].map((part) => part.length);
  expect(parts.length).toBeGreaterThan(3);
  expect(Math.max(...parts)).toBeLessThan(2e6);
  expect(parts.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(2e6);
});
