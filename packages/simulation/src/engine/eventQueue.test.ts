import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EventQueue } from './eventQueue.ts';

type Event = Readonly<Record<'timeUs' | 'head' | 'b' | 'c' | 'd', number>>;

/** Reference for the queue: inserts an event into a list in order of time, then of insertion. */
function insert(events: Event[], event: Event): void {
  const at = events.findLastIndex(({ timeUs }) => timeUs <= event.timeUs);
  events.splice(at + 1, 0, event);
}

/** Delays, µs. Many are just below or above the length of a bucket (512 µs) or the reach of the wheel (two seconds). */
const delayUs = fc.oneof(
  fc.nat(3),
  fc.nat(2000),
  fc.constantFrom(0, 1, 510, 511, 512, 513, 1023, 1024),
  fc.constantFrom(2_096_639, 2_096_640, 2_097_151, 2_097_152, 2_097_153, 2_097_664),
  fc.nat(2_400_000),
  fc.nat(20_000_000),
);

it.each([2 ** 40, 2 ** 41 + 512, Number.POSITIVE_INFINITY, Number.NaN])('refuses an event at %d µs', (timeUs) => {
  const queue = new EventQueue();
  expect(() => queue.push(timeUs, 0, 0, 0, 0)).toThrow('expected a time before 2^40 µs');
  queue.push(2 ** 40 - 1, 7, 0, 0, 0);
  queue.push(3, 1, 0, 0, 0);
  expect([queue.next(), queue.head, queue.next(), queue.timeUs, queue.head]).toEqual([true, 1, true, 2 ** 40 - 1, 7]);
});

it('EventQueue uses constant memory when it is cleared repeatedly', () => {
  const queue = new EventQueue();
  const lengths = Array.from({ length: 20 }, () => {
    for (let event = 0; event < 5000; event++) queue.push(1000 + event * 100, event, 0, 0, 0);
    const { length } = queue.ints;
    queue.clear();
    return length;
  });
  expect(new Set(lengths).size).toBe(1);
});

it('EventQueue returns events in order of time, then of insertion, with insertions during the run', () => {
  const step = fc.record({ pushes: fc.array(delayUs, { maxLength: 6 }), takes: fc.nat(6) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), (steps) => {
      const queue = new EventQueue();
      const model: Event[] = [];
      let count = 0;
      const takeOne = (): void => {
        const expected = model.shift();
        if (queue.next() !== (expected !== undefined)) expect.fail(`${model.length} events left`);
        if (expected !== undefined) expect(queue).toMatchObject(expected);
        if (queue.size !== model.length) expect.fail(`${queue.size} of ${model.length} events left`);
      };
      for (const { pushes, takes } of steps) {
        for (const delay of pushes) {
          const event = { timeUs: queue.timeUs + delay, head: count++, b: -count, c: count * 7, d: 2 ** 31 - count };
          queue.push(event.timeUs, event.head, event.b, event.c, event.d);
          insert(model, event);
        }
        for (let take = 0; take < takes; take++) takeOne();
      }
      while (model.length > 0) takeOne();
      expect(queue.next()).toBe(false);
    }),
    { numRuns: 300 },
  );
});

it('EventQueue keeps a hundred thousand events of one microsecond in order', () => {
  const queue = new EventQueue();
  for (let index = 0; index < 100_000; index++) queue.push(77_777, index, 0, 0, 0);
  for (let index = 0; index < 100_000; index++) {
    if (!queue.next() || queue.head !== index) expect.fail(`event ${index}`);
  }
  expect(queue.next()).toBe(false);
});

it('EventQueue refuses an event in the past', () => {
  const queue = new EventQueue();
  queue.push(1000, 0, 0, 0, 0);
  queue.next();
  expect(() => queue.push(999, 0, 0, 0, 0)).toThrow(RangeError);
  expect(() => queue.push(1, 0, 0, 0, 0)).toThrow(/expected a time from 1000/);
  queue.push(1000, 3, 0, 0, 0);
  expect(queue.size).toBe(1);
  expect(queue.next() && queue.head).toBe(3);
});
