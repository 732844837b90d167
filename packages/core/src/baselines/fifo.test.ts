import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Fifo } from './verification.ts';

it('Fifo returns the same as an array, for any order of push and shift', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })), { maxLength: 300, size: 'max' }),
      (steps) => {
        const fifo = new Fifo();
        const model: number[] = [];
        for (const step of steps) {
          if (step !== null) {
            fifo.push(step);
            model.push(step);
          } else if (model.length > 0) {
            expect(fifo.shift()).toBe(model.shift());
          }
          expect(fifo.length).toBe(model.length);
        }
        expect(model.map((_, index) => fifo.at(index))).toEqual(model);
      },
    ),
  );
});
