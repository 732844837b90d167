import { ProtobufWriter } from './protobufWriter.ts';

/** Field numbers of Perfetto's messages, from its published definitions (trace_packet.proto and its imports). */
const trace = { packet: 1 } as const;
const packet = {
  timestamp: 8,
  trustedPacketSequenceId: 10,
  trackEvent: 11,
  internedData: 12,
  sequenceFlags: 13,
  trackDescriptor: 60,
  firstPacketOnSequence: 87,
} as const;
const descriptor = { uuid: 1, name: 2, process: 3, thread: 4, parentUuid: 5, counter: 8 } as const;
const processDescriptor = { pid: 1, processName: 6 } as const;
const threadDescriptor = { pid: 1, tid: 2, threadName: 5 } as const;
const counterDescriptor = { unit: 3 } as const;
const unitCount = 2;
const trackEvent = {
  debugAnnotations: 4,
  type: 9,
  nameIid: 10,
  trackUuid: 11,
  counterValue: 30,
  flowIds: 47,
  terminatingFlowIds: 48,
} as const;
const internedData = { eventNames: 2, debugAnnotationNames: 3 } as const;
const interned = { iid: 1, name: 2 } as const;
const annotation = { nameIid: 1, intValue: 4 } as const;

export const EventType = { sliceBegin: 1, sliceEnd: 2, instant: 3, counter: 4 } as const;
export type EventType = (typeof EventType)[keyof typeof EventType];

/** Number of the trace's only packet sequence; any number except 0 is valid. */
const sequenceId = 1;
/** Bit flags of a packet: interned data is cleared; interned data is needed. */
const sequence = { cleared: 1, needed: 2 } as const;

/**
 * Writes the packets of a Perfetto trace that consists of TrackEvents. A name is written once, with the first packet
 * that needs the name; later packets refer to it by number. A track is described before its first event.
 */
export class PerfettoWriter {
  readonly #out = new ProtobufWriter();
  readonly #eventNames = new Map<string, number>();
  readonly #annotationNames = new Map<string, number>();
  #newNames: { readonly field: number; readonly iid: number; readonly name: string }[] = [];
  #isFirst = true;
  #packets = 0;

  /** Number of packets since the last {@link take}. */
  get packets(): number {
    return this.#packets;
  }

  /** Returns the packets since the last call. A trace is a sequence of packets, so it can be written part by part. */
  take(): Uint8Array<ArrayBuffer> {
    this.#packets = 0;
    return this.#out.take();
  }

  /** Describes a process. @param track track number, also used as the process's number. */
  describeProcess(track: number, name: string): void {
    this.#beginDescription(track)
      .begin(descriptor.process)
      .integer(processDescriptor.pid, track)
      .text(processDescriptor.processName, name)
      .end()
      .end();
    this.#endPacket();
  }

  /**
   * Describes a thread. @param track track number, also used as the thread's number, which is unique over all
   * processes.
   */
  describeThread(track: number, process: number, name: string): void {
    this.#beginDescription(track)
      .integer(descriptor.parentUuid, process)
      .begin(descriptor.thread)
      .integer(threadDescriptor.pid, process)
      .integer(threadDescriptor.tid, track)
      .text(threadDescriptor.threadName, name)
      .end()
      .end();
    this.#endPacket();
  }

  /** Describes a counter. @param parent track of the process or thread to which the counter belongs. */
  describeCounter(track: number, parent: number, name: string): void {
    this.#beginDescription(track)
      .integer(descriptor.parentUuid, parent)
      .text(descriptor.name, name)
      .begin(descriptor.counter)
      .integer(counterDescriptor.unit, unitCount)
      .end()
      .end();
    this.#endPacket();
  }

  #beginDescription(track: number): ProtobufWriter {
    return this.#out.begin(trace.packet).begin(packet.trackDescriptor).integer(descriptor.uuid, track);
  }

  /** Writes the value of a counter from `timeUs` on. */
  counter(timeUs: number, track: number, value: number): void {
    this.event(timeUs, EventType.counter, track);
    this.#out.integer(trackEvent.counterValue, value);
    this.end();
  }

  /** Begins an event. The caller adds fields to the event and then ends it. */
  event(timeUs: number, type: EventType, track: number, name?: string): this {
    this.#out.begin(trace.packet).integer(packet.timestamp, timeUs * 1000);
    this.#out.begin(packet.trackEvent).integer(trackEvent.type, type).integer(trackEvent.trackUuid, track);
    if (name === undefined) return this;
    this.#out.integer(trackEvent.nameIid, this.#iid(this.#eventNames, internedData.eventNames, name));
    return this;
  }

  /** Adds a named number to the event. */
  annotate(name: string, value: number): this {
    this.#out
      .begin(trackEvent.debugAnnotations)
      .integer(annotation.nameIid, this.#iid(this.#annotationNames, internedData.debugAnnotationNames, name))
      .integer(annotation.intValue, value)
      .end();
    return this;
  }

  /** Begins a flow from this event to the event for which {@link endFlow} is called with the same id. */
  beginFlow(id: number): this {
    this.#out.fixed64(trackEvent.flowIds, id);
    return this;
  }

  /** Ends a flow at this event. */
  endFlow(id: number): this {
    this.#out.fixed64(trackEvent.terminatingFlowIds, id);
    return this;
  }

  /** Ends the event. */
  end(): void {
    this.#out.end();
    this.#endPacket();
  }

  #endPacket(): void {
    if (this.#newNames.length > 0) {
      this.#out.begin(packet.internedData);
      for (const { field, iid, name } of this.#newNames) {
        this.#out.begin(field).integer(interned.iid, iid).text(interned.name, name).end();
      }
      this.#out.end();
      this.#newNames = [];
    }
    this.#out.integer(packet.trustedPacketSequenceId, sequenceId);
    this.#out.integer(packet.sequenceFlags, this.#isFirst ? sequence.cleared | sequence.needed : sequence.needed);
    if (this.#isFirst) this.#out.integer(packet.firstPacketOnSequence, 1);
    this.#isFirst = false;
    this.#out.end();
    this.#packets++;
  }

  /** Returns a name's number; the numbers start at 1. A new name is written at the end of the packet. */
  #iid(known: Map<string, number>, field: number, name: string): number {
    const before = known.get(name);
    if (before !== undefined) return before;
    const iid = known.size + 1;
    known.set(name, iid);
    this.#newNames.push({ field, iid, name });
    return iid;
  }
}
