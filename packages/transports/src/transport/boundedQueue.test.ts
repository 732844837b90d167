import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedQueue } from './boundedQueue.ts';

it('keeps the newest entries in order, whatever the order of pushes and shifts', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 8 }), fc.array(fc.boolean()), (bound, steps) => {
      const queue = new BoundedQueue<number>(bound);
      const model: number[] = [];
      for (const [step, isPush] of steps.entries())
        if (isPush) {
          expect(queue.push(step)).toBe(model.length === bound);
          model.push(step);
          if (model.length > bound) model.shift();
        } else expect(queue.shift()).toBe(model.shift());
      expect(queue.length).toBe(model.length);
    }),
  );
});

it('clear empties it', () => {
  const queue = new BoundedQueue<string>(2);
  queue.push('a');
  queue.clear();
  expect(queue.shift()).toBeUndefined();
});

it('a bound under 1 is refused', () => {
  expect(() => new BoundedQueue(0)).toThrow(new RangeError('bound: expected an integer >= 1, got 0'));
});
