/** Microseconds in a bucket, 2^9. */
const bucketBits = 9;
const bucketUs = 1 << bucketBits;
/**
 * Buckets on the wheel, 2^10: half a second ahead, which holds every latency, verification and period of the usual
 * scenarios.
 */
const wheelBits = 10;
const wheelBuckets = 1 << wheelBits;
const wheelMask = wheelBuckets - 1;

/** Bits of an event's head that are the caller's. The rest holds the microsecond within the bucket. */
export const headBits = 32 - bucketBits;
const headMask = 2 ** headBits - 1;

/** Integers in an event: head, b, c, d. */
const width = 4;
/** Few, because in a small run a bucket has few events. */
const chunkEvents = 64;
const chunkInts = chunkEvents * width;

/**
 * Up to this many events are sorted by insertion, which costs less than counting over all microseconds of the bucket.
 */
const fewEvents = 32;

/** How many events are looked at together before they are taken. */
const lookEvents = 16;

/** An observer that sees events before they are taken. */
export interface EventLook {
  first(head: number, b: number, c: number): void;
  /** Called for each event again, after `first` was called for all that are seen together. */
  second(head: number, b: number): void;
}

/**
 * The events of a run in exact order: by time, and within one time in the order of insertion.
 *
 * A wheel of buckets of half a millisecond. A bucket is a chain of chunks of plain integers in one array, to which an
 * event is only appended; when its time comes, one sort on the microsecond puts it in order. What falls into the bucket
 * that is being played goes to a small heap beside it, what lies beyond the wheel to another.
 */
export class EventQueue {
  /** The event that {@link next} took: when, and its four integers. */
  timeUs = 0;
  head = 0;
  b = 0;
  c = 0;
  d = 0;

  #chunks = new Int32Array(64 * chunkInts);
  /** Chunks ever used, and the last one that was given back, or -1. */
  #usedChunks = 0;
  #freeChunk = -1;
  /** Per chunk: the one before it in its bucket, or among the free ones, or -1. */
  #previous = new Int32Array(64);
  /** Per bucket: its newest chunk, or -1, and the events in that one. */
  readonly #newest = new Int32Array(wheelBuckets).fill(-1);
  readonly #filled = new Int32Array(wheelBuckets);

  /** The bucket that is being played, in buckets since time 0, and its events in order. */
  #playing = 0;
  #due = new Int32Array(chunkInts);
  #dueCount = 0;
  #dueNext = 0;
  /** The first of them that {@link lookAhead} has not shown. */
  #dueSeen = 0;
  readonly #counts = new Int32Array(bucketUs + 1);

  readonly #soon = new EventHeap();
  readonly #far = new EventHeap();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Removes all events and starts again at time 0; the memory that it has is kept. */
  clear(): void {
    this.timeUs = 0;
    this.#usedChunks = 0;
    this.#freeChunk = -1;
    this.#newest.fill(-1);
    this.#filled.fill(0);
    this.#playing = 0;
    this.#dueCount = 0;
    this.#dueNext = 0;
    this.#dueSeen = 0;
    this.#soon.clear();
    this.#far.clear();
    this.#size = 0;
  }

  /**
   * @param timeUs an integer, not before the event that is being handled.
   * @param head 0 to 2^23 - 1.
   */
  push(timeUs: number, head: number, b: number, c: number, d: number): void {
    const bucket = Math.floor(timeUs / bucketUs);
    if (bucket <= this.#playing) {
      if (timeUs < this.timeUs)
        throw new RangeError(`event at ${timeUs} µs: expected a time from ${this.timeUs} µs on`);
      this.#soon.push(timeUs, head, b, c, d);
    } else if (bucket - this.#playing < wheelBuckets) {
      this.#append(bucket & wheelMask, ((timeUs - bucket * bucketUs) << headBits) | head, b, c, d);
    } else {
      this.#far.push(timeUs, head, b, c, d);
    }
    this.#size++;
  }

  /** Takes the first event into the fields; false when there is none. */
  next(): boolean {
    if (this.#size === 0) return false;
    while (this.#dueNext === this.#dueCount && this.#soon.size === 0) this.#play(this.#playing + 1);
    this.#size--;
    const soon = this.#soon;
    if (this.#dueNext < this.#dueCount) {
      const at = this.#dueNext * width;
      const first = this.#due[at]!;
      const timeUs = this.#playing * bucketUs + (first >>> headBits);
      // Within one time, what was on the wheel is older than what was added while the bucket was played.
      if (soon.size === 0 || timeUs <= soon.firstTimeUs) {
        this.#dueNext++;
        this.timeUs = timeUs;
        this.head = first & headMask;
        this.b = this.#due[at + 1]!;
        this.c = this.#due[at + 2]!;
        this.d = this.#due[at + 3]!;
        return true;
      }
    }
    soon.pop();
    this.timeUs = soon.timeUs;
    this.head = soon.head;
    this.b = soon.b;
    this.c = soon.c;
    this.d = soon.d;
    return true;
  }

  /**
   * Shows the next few events of the bucket that is being played, unless those that were shown last are still to be
   * taken. What the bucket gets while it is played is never shown.
   */
  lookAhead(look: EventLook): void {
    if (this.#dueNext < this.#dueSeen) return;
    const due = this.#due;
    const end = Math.min(this.#dueCount, this.#dueNext + lookEvents) * width;
    const start = this.#dueNext * width;
    for (let at = start; at < end; at += width) look.first(due[at]! & headMask, due[at + 1]!, due[at + 2]!);
    for (let at = start; at < end; at += width) look.second(due[at]! & headMask, due[at + 1]!);
    this.#dueSeen = end / width;
  }

  #append(slot: number, first: number, b: number, c: number, d: number): void {
    let chunk = this.#newest[slot]!;
    let filled = this.#filled[slot]!;
    if (chunk < 0 || filled === chunkEvents) {
      const fresh = this.#takeChunk();
      this.#previous[fresh] = chunk;
      this.#newest[slot] = fresh;
      chunk = fresh;
      filled = 0;
    }
    const chunks = this.#chunks;
    const at = chunk * chunkInts + filled * width;
    chunks[at] = first;
    chunks[at + 1] = b;
    chunks[at + 2] = c;
    chunks[at + 3] = d;
    this.#filled[slot] = filled + 1;
  }

  #takeChunk(): number {
    const free = this.#freeChunk;
    if (free >= 0) {
      this.#freeChunk = this.#previous[free]!;
      return free;
    }
    if (this.#usedChunks === this.#previous.length) {
      this.#chunks = twice(this.#chunks);
      this.#previous = twice(this.#previous);
    }
    return this.#usedChunks++;
  }

  /** Moves on to a bucket: what the wheel now reaches comes in from afar, then the bucket's events are put in order. */
  #play(bucket: number): void {
    this.#playing = bucket;
    const reach = (bucket + wheelBuckets) * bucketUs;
    const far = this.#far;
    while (far.size > 0 && far.firstTimeUs < reach) {
      far.pop();
      const at = Math.floor(far.timeUs / bucketUs);
      this.#append(at & wheelMask, ((far.timeUs - at * bucketUs) << headBits) | far.head, far.b, far.c, far.d);
    }
    this.#sortDue(bucket & wheelMask);
  }

  #sortDue(slot: number): void {
    this.#dueNext = 0;
    this.#dueSeen = 0;
    this.#dueCount = 0;
    const newest = this.#newest[slot]!;
    if (newest < 0) return;
    let total = this.#filled[slot]!;
    for (let chunk = this.#previous[newest]!; chunk >= 0; chunk = this.#previous[chunk]!) total += chunkEvents;
    if (this.#due.length < total * width) this.#due = new Int32Array(total * width * 2);
    if (total <= fewEvents) this.#insertAll(newest, this.#filled[slot]!);
    else this.#countAll(newest, this.#filled[slot]!);
    for (let chunk = newest; chunk >= 0; ) {
      const previous = this.#previous[chunk]!;
      this.#previous[chunk] = this.#freeChunk;
      this.#freeChunk = chunk;
      chunk = previous;
    }
    this.#dueCount = total;
    this.#newest[slot] = -1;
    this.#filled[slot] = 0;
  }

  /** An insertion sort that starts with the newest event, so that each goes before those of its microsecond. */
  #insertAll(newest: number, filledOfNewest: number): void {
    const due = this.#due;
    const chunks = this.#chunks;
    const previous = this.#previous;
    let end = 0;
    for (let chunk = newest, filled = filledOfNewest; chunk >= 0; chunk = previous[chunk]!) {
      const start = chunk * chunkInts;
      for (let at = start + (filled - 1) * width; at >= start; at -= width) {
        const us = chunks[at]! >>> headBits;
        let to = 0;
        while (to < end && due[to]! >>> headBits < us) to += width;
        for (let from = end - 1; from >= to; from--) due[from + width] = due[from]!;
        end += width;
        due[to] = chunks[at]!;
        due[to + 1] = chunks[at + 1]!;
        due[to + 2] = chunks[at + 2]!;
        due[to + 3] = chunks[at + 3]!;
      }
      filled = chunkEvents;
    }
  }

  /**
   * A counting sort that walks the chain backwards, newest event first, and so fills each microsecond's places from the
   * end.
   */
  #countAll(newest: number, filledOfNewest: number): void {
    const chunks = this.#chunks;
    const previous = this.#previous;
    const counts = this.#counts.fill(0);
    for (let chunk = newest, filled = filledOfNewest; chunk >= 0; chunk = previous[chunk]!) {
      const start = chunk * chunkInts;
      for (let at = start; at < start + filled * width; at += width) counts[chunks[at]! >>> headBits]!++;
      filled = chunkEvents;
    }
    for (let us = 1; us < bucketUs; us++) counts[us]! += counts[us - 1]!;
    const due = this.#due;
    for (let chunk = newest, filled = filledOfNewest; chunk >= 0; chunk = previous[chunk]!) {
      const start = chunk * chunkInts;
      for (let at = start + (filled - 1) * width; at >= start; at -= width) {
        const to = --counts[chunks[at]! >>> headBits]! * width;
        due[to] = chunks[at]!;
        due[to + 1] = chunks[at + 1]!;
        due[to + 2] = chunks[at + 2]!;
        due[to + 3] = chunks[at + 3]!;
      }
      filled = chunkEvents;
    }
  }
}

function twice(ints: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(ints.length * 2);
  longer.set(ints);
  return longer;
}

/** A binary heap of events by time and order of arrival, for the few that the wheel cannot take. */
class EventHeap {
  timeUs = 0;
  head = 0;
  b = 0;
  c = 0;
  d = 0;
  readonly #events: { timeUs: number; order: number; head: number; b: number; c: number; d: number }[] = [];
  #order = 0;

  get size(): number {
    return this.#events.length;
  }

  get firstTimeUs(): number {
    return this.#events[0]!.timeUs;
  }

  clear(): void {
    this.#events.length = 0;
    this.#order = 0;
  }

  push(timeUs: number, head: number, b: number, c: number, d: number): void {
    const events = this.#events;
    const event = { timeUs, order: this.#order++, head, b, c, d };
    let at = events.length;
    events.push(event);
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (!isBefore(event, events[above]!)) break;
      events[at] = events[above]!;
      at = above;
    }
    events[at] = event;
  }

  /** Takes the first event into the fields; the caller has seen to it that there is one. */
  pop(): void {
    const events = this.#events;
    const first = events[0]!;
    const last = events.pop()!;
    if (events.length > 0) {
      let at = 0;
      while (true) {
        let below = 2 * at + 1;
        if (below >= events.length) break;
        if (below + 1 < events.length && isBefore(events[below + 1]!, events[below]!)) below++;
        if (!isBefore(events[below]!, last)) break;
        events[at] = events[below]!;
        at = below;
      }
      events[at] = last;
    }
    this.timeUs = first.timeUs;
    this.head = first.head;
    this.b = first.b;
    this.c = first.c;
    this.d = first.d;
  }
}

function isBefore(a: { timeUs: number; order: number }, b: { timeUs: number; order: number }): boolean {
  return a.timeUs < b.timeUs || (a.timeUs === b.timeUs && a.order < b.order);
}
