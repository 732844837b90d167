import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedQueue } from './bounded.ts';

it('keeps the newest entries in order for any sequence of push and shift', () => {
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
