/** Log2 of a bucket's length: 2^9 µs. */
const bucketBits = 9;
const bucketUs = 1 << bucketBits;
/**
 * Log2 of the number of buckets on the wheel: 2^12 buckets, two seconds ahead. The wheel covers every latency,
 * verification and period of the usual scenarios.
 */
const wheelBits = 12;
const wheelBuckets = 1 << wheelBits;
const wheelMask = wheelBuckets - 1;

/** End of the times that the queue can order, µs: 2^31 buckets, 12.7 days of virtual time. */
const endOfTimeUs = 2 ** 31 * bucketUs;

/**
 * Limit for a delay or a core's time that a run computes, µs: 2^38 µs, 3.2 days of virtual time. No run lasts so long,
 * and the queue can order the sum of this time and any latency.
 */
export const latestUs = endOfTimeUs / 4;

/**
 * Number of bits of an event's head that belong to the caller. The remaining bits hold the microsecond within the
 * bucket.
 */
export const headBits = 32 - bucketBits;
const headMask = 2 ** headBits - 1;

/** Number of integers of an event: head, b, c, d. */
const width = 4;
/** Log2 of the number of integers in a chunk. Chunks are small, because a bucket of a small run has few events. */
const chunkBits = 8;
const chunkInts = 1 << chunkBits;
const chunkEvents = chunkInts / width;
const withinChunk = chunkInts - 1;

/**
 * Maximum number of events for an insertion sort. For so few events, an insertion sort is cheaper than a counting sort
 * over all microseconds of the bucket.
 */
const fewEvents = 32;

/**
 * The events of a run in exact order: by time, and by insertion within the same time.
 *
 * The queue is a wheel of buckets of half a millisecond. A bucket is a chain of chunks of integers in one array, to
 * which events are appended. When a bucket's time comes, one sort by microsecond orders the addresses of the bucket's
 * events. Events that fall into the current bucket and events beyond the wheel go to a heap.
 */
export class EventQueue {
  /** Event taken by {@link next}: its time, and its four integers. */
  timeUs = 0;
  head = 0;
  b = 0;
  c = 0;
  d = 0;

  #chunks = new Int32Array(64 * chunkInts);
  /** Number of chunks ever used, and the last free one, or -1. */
  #usedChunks = 0;
  #freeChunk = -1;
  /** For each chunk, the previous one of its bucket or of the free list, or -1. */
  #previous = new Int32Array(64);
  /** For each bucket, the address after its newest event, or 0 for an empty bucket. */
  readonly #ends = new Int32Array(wheelBuckets);

  /** The current bucket, in buckets since time 0; the time of its beginning; and its newest chunk, or -1. */
  #current = 0;
  #currentUs = 0;
  #currentNewest = -1;
  /** Addresses of the current bucket's events, in order. */
  #due = new Int32Array(chunkEvents);
  #dueCount = 0;
  #dueNext = 0;
  readonly #counts = new Int32Array(bucketUs);

  /** Events in the current bucket that were added after it became current, and events beyond the wheel. */
  readonly #heap = new EventHeap();
  /** Time of the first event in the heap; infinite if the heap is empty. */
  #heapUs = Number.POSITIVE_INFINITY;
  /** Number of events on the wheel outside the current bucket. */
  #later = 0;

  /** Number of events in the queue. */
  get size(): number {
    return this.#later + this.#dueCount - this.#dueNext + this.#heap.size;
  }

  /** Removes all events and starts again at time 0. The queue keeps its memory. */
  clear(): void {
    this.timeUs = 0;
    this.#usedChunks = 0;
    this.#freeChunk = -1;
    this.#ends.fill(0);
    this.#current = 0;
    this.#currentUs = 0;
    this.#currentNewest = -1;
    this.#dueCount = 0;
    this.#dueNext = 0;
    this.#heap.clear();
    this.#heapUs = Number.POSITIVE_INFINITY;
    this.#later = 0;
  }

  /**
   * Adds an event.
   *
   * @param timeUs an integer, not before the current event, and less than 2^40, µs (12.7 days).
   * @param head 0 to 2^23 - 1.
   * @throws RangeError for a time out of this range.
   */
  push(timeUs: number, head: number, b: number, c: number, d: number): void {
    if (!(timeUs < endOfTimeUs))
      throw new RangeError(`event at ${timeUs} µs: expected a time before 2^40 µs, 12.7 days`);
    const bucket = (timeUs / bucketUs) | 0;
    const ahead = bucket - this.#current;
    if (ahead > 0 && ahead < wheelBuckets) {
      this.#append(bucket & wheelMask, ((timeUs - bucket * bucketUs) << headBits) | head, b, c, d);
    } else {
      this.#pushOnHeap(timeUs, head, b, c, d);
    }
  }

  #pushOnHeap(timeUs: number, head: number, b: number, c: number, d: number): void {
    if (timeUs < this.timeUs) throw new RangeError(`event at ${timeUs} µs: expected a time from ${this.timeUs} µs on`);
    this.#heap.push(timeUs, head, b, c, d);
    this.#heapUs = this.#heap.firstTimeUs;
  }

  /** Copies the first event into the fields and removes the event. @returns false if the queue is empty. */
  next(): boolean {
    while (true) {
      if (this.#dueNext < this.#dueCount) {
        const at = this.#due[this.#dueNext]!;
        const chunks = this.#chunks;
        const first = chunks[at]!;
        const timeUs = this.#currentUs + (first >>> headBits);
        // Within the same time, an event from the wheel is older than an event that was added while the bucket was
        // current.
        if (timeUs > this.#heapUs) return this.#takeFromHeap();
        this.#dueNext++;
        this.timeUs = timeUs;
        this.head = first & headMask;
        this.b = chunks[at + 1]!;
        this.c = chunks[at + 2]!;
        this.d = chunks[at + 3]!;
        return true;
      }
      if (this.#heapUs < this.#currentUs + bucketUs) return this.#takeFromHeap();
      if (this.#later > 0) this.#enter(this.#current + 1);
      else if (this.#heap.size === 0) return false;
      // The first event beyond an empty wheel may be minutes later.
      else this.#enter(Math.floor(this.#heapUs / bucketUs));
    }
  }

  #takeFromHeap(): true {
    ({ timeUs: this.timeUs, head: this.head, b: this.b, c: this.c, d: this.d } = this.#popHeap());
    return true;
  }

  #popHeap(): HeapEvent {
    const event = this.#heap.pop();
    this.#heapUs = this.#heap.firstTimeUs;
    return event;
  }

  /** Index of the current bucket, counted from time 0. */
  get bucket(): number {
    return this.#current;
  }

  /**
   * Addresses in {@link ints} of the events that the bucket had when it became current, in order: the first
   * {@link dueCount}.
   */
  get due(): Int32Array {
    return this.#due;
  }

  get dueCount(): number {
    return this.#dueCount;
  }

  /** Number of {@link due} events already taken. */
  get dueNext(): number {
    return this.#dueNext;
  }

  /**
   * Integers of the events. Each event has four integers: its head with the microsecond within the bucket in the upper
   * bits, then b, c, d.
   */
  get ints(): Int32Array {
    return this.#chunks;
  }

  #append(slot: number, first: number, b: number, c: number, d: number): void {
    let at = this.#ends[slot]!;
    if ((at & withinChunk) === 0) at = this.#openChunk(at);
    const chunks = this.#chunks;
    // The conversion marks the values as integers, so that the engine stores them directly.
    chunks[at] = first | 0;
    chunks[at + 1] = b | 0;
    chunks[at + 2] = c | 0;
    chunks[at + 3] = d | 0;
    this.#ends[slot] = at + width;
    this.#later++;
  }

  /** Allocates a chunk for the bucket whose events end at the given address. @returns the chunk's address. */
  #openChunk(end: number): number {
    const fresh = this.#takeChunk();
    this.#previous[fresh] = lastChunk(end);
    return fresh << chunkBits;
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

  /**
   * Makes a bucket the current one: moves events from beyond the wheel onto the wheel, then orders the bucket's events.
   */
  #enter(bucket: number): void {
    this.#freeChunks(this.#currentNewest);
    this.#current = bucket;
    this.#currentUs = bucket * bucketUs;
    const reach = (bucket + wheelBuckets) * bucketUs;
    while (this.#heapUs < reach) {
      const { timeUs, head, b, c, d } = this.#popHeap();
      const at = Math.floor(timeUs / bucketUs);
      this.#append(at & wheelMask, ((timeUs - at * bucketUs) << headBits) | head, b, c, d);
    }
    this.#sortDue(bucket & wheelMask);
  }

  /** Frees a chunk and the earlier chunks of its bucket. */
  #freeChunks(newest: number): void {
    for (let chunk = newest; chunk >= 0; ) {
      const previous = this.#previous[chunk]!;
      this.#previous[chunk] = this.#freeChunk;
      this.#freeChunk = chunk;
      chunk = previous;
    }
  }

  #sortDue(slot: number): void {
    const end = this.#ends[slot]!;
    const newest = lastChunk(end);
    this.#currentNewest = newest;
    this.#dueNext = 0;
    this.#dueCount = 0;
    if (newest < 0) return;
    let total = (end - (newest << chunkBits)) / width;
    for (let chunk = this.#previous[newest]!; chunk >= 0; chunk = this.#previous[chunk]!) total += chunkEvents;
    if (this.#due.length < total) this.#due = new Int32Array(total * 2);
    if (total <= fewEvents) this.#insertAll(newest, end);
    else this.#countAll(newest, end);
    this.#dueCount = total;
    this.#later -= total;
    this.#ends[slot] = 0;
  }

  /** Insertion sort from the newest event on, which puts each event before other events of the same microsecond. */
  #insertAll(newest: number, endOfNewest: number): void {
    const due = this.#due;
    const chunks = this.#chunks;
    let count = 0;
    for (let chunk = newest, end = endOfNewest; chunk >= 0; ) {
      for (let at = end - width; at >= chunk << chunkBits; at -= width) {
        const us = chunks[at]! >>> headBits;
        let to = 0;
        for (; to < count && chunks[due[to]!]! >>> headBits < us; to++);
        for (let from = count; from > to; from--) due[from] = due[from - 1]!;
        due[to] = at;
        count++;
      }
      chunk = this.#previous[chunk]!;
      end = (chunk + 1) << chunkBits;
    }
  }

  /**
   * Counting sort. The sort walks the chain backwards, newest event first, and therefore fills the positions of each
   * microsecond from the end.
   */
  #countAll(newest: number, endOfNewest: number): void {
    const chunks = this.#chunks;
    const previous = this.#previous;
    const counts = this.#counts.fill(0);
    for (let chunk = newest, end = endOfNewest; chunk >= 0; ) {
      for (let at = chunk << chunkBits; at < end; at += width) counts[chunks[at]! >>> headBits]!++;
      chunk = previous[chunk]!;
      end = (chunk + 1) << chunkBits;
    }
    for (let us = 1; us < bucketUs; us++) counts[us]! += counts[us - 1]!;
    const due = this.#due;
    for (let chunk = newest, end = endOfNewest; chunk >= 0; ) {
      for (let at = end - width; at >= chunk << chunkBits; at -= width) {
        due[--counts[chunks[at]! >>> headBits]!] = at;
      }
      chunk = previous[chunk]!;
      end = (chunk + 1) << chunkBits;
    }
  }
}

/** Returns the chunk of the event before the given address; -1 for address 0. */
function lastChunk(end: number): number {
  return (end - 1) >> chunkBits;
}

function twice(ints: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(ints.length * 2);
  longer.set(ints);
  return longer;
}

interface HeapEvent {
  readonly timeUs: number;
  /** Number of earlier events of the heap. */
  readonly order: number;
  readonly head: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

/** A binary heap of events by time and order of insertion. */
class EventHeap {
  readonly #events: HeapEvent[] = [];
  #order = 0;

  get size(): number {
    return this.#events.length;
  }

  /** Time of the first event; infinite if the heap is empty. */
  get firstTimeUs(): number {
    return this.#events[0]?.timeUs ?? Number.POSITIVE_INFINITY;
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

  /** Removes the first event. The heap must not be empty. */
  pop(): HeapEvent {
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
    return first;
  }
}

function isBefore(a: HeapEvent, b: HeapEvent): boolean {
  return a.timeUs < b.timeUs || (a.timeUs === b.timeUs && a.order < b.order);
}
