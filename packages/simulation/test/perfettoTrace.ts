import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

const schema = protobuf.parse(readFileSync(new URL('./perfetto.proto', import.meta.url), 'utf8')).root;

export interface TraceEvent {
  readonly timeUs: number;
  readonly type: 'begin' | 'end' | 'instant' | 'counter';
  readonly track: number;
  readonly name: string | undefined;
  readonly annotations: Readonly<Record<string, number>>;
  readonly value: number;
  readonly flows: readonly number[];
  readonly endingFlows: readonly number[];
}

export interface Track {
  readonly name: string;
  readonly kind: 'process' | 'thread' | 'counter';
  readonly parent: number | undefined;
  readonly pid: number | undefined;
  readonly tid: number | undefined;
}

interface Packet {
  readonly timestamp?: number;
  readonly trustedPacketSequenceId?: number;
  readonly sequenceFlags?: number;
  readonly firstPacketOnSequence?: boolean;
  readonly trackEvent?: {
    readonly type: number;
    readonly nameIid?: number;
    readonly trackUuid: number;
    readonly counterValue?: number;
    readonly flowIds?: number[];
    readonly terminatingFlowIds?: number[];
    readonly debugAnnotations?: { readonly nameIid: number; readonly intValue: number }[];
  };
  readonly trackDescriptor?: {
    readonly uuid: number;
    readonly name?: string;
    readonly parentUuid?: number;
    readonly process?: { readonly pid: number; readonly processName: string };
    readonly thread?: { readonly pid: number; readonly tid: number; readonly threadName: string };
    readonly counter?: { readonly unit: number };
  };
  readonly internedData?: { readonly eventNames?: Name[]; readonly debugAnnotationNames?: Name[] };
}
interface Name {
  readonly iid: number;
  readonly name: string;
}

const eventTypes = { 1: 'begin', 2: 'end', 3: 'instant', 4: 'counter' } as const;

/**
 * Reads a trace as Perfetto does, looking up names in the data interned so far. This reader reports a packet that
 * refers to missing data as an error, whereas Perfetto drops the packet.
 */
export function readPerfettoTrace(bytes: Uint8Array): { tracks: Map<number, Track>; events: TraceEvent[] } {
  const message = schema.lookupType('Trace');
  const { packet } = message.toObject(message.decode(bytes), { longs: Number }) as { packet: Packet[] };
  const tracks = new Map<number, Track>();
  const events: TraceEvent[] = [];
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
        timeUs: one.timestamp! / 1000,
        type: eventTypes[type as 1],
        track: trackUuid,
        name: nameIid === undefined ? undefined : known(eventNames, nameIid),
        annotations: Object.fromEntries(
          (debugAnnotations ?? []).map(({ nameIid, intValue }) => [known(annotationNames, nameIid), intValue]),
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
