import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slab } from '../../../core/src/slab.ts';
import { listInts, RankedLists } from './rankedLists.ts';

const step = fc.record({
  name: fc.constantFrom('insert', 'insert', 'insert', 'remove', 'weigh', 'clear'),
  which: fc.nat(1),
  rank: fc.nat(60),
  at: fc.nat(59),
});

it('two lists in one slab equal arrays in ascending order of rank, after any changes', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const slab = new Slab();
      const first = slab.reserve(2 * listInts);
      const lists = new RankedLists(slab);
      const models: [rank: number, sender: number, weight: number][][] = [[], []];
      for (const [time, { name, which, rank, at }] of steps.entries()) {
        const [list, model] = [first + which * listInts, models[which]!];
        const before = model.filter(([one]) => one < rank).length;
        const isIn = model[before]?.[0] === rank;
        expect(lists.indexOf(list, rank)).toBe(isIn ? before : -1);
        if (name === 'insert' && !isIn) {
          lists.insert(list, rank, time, rank + 2);
          model.splice(before, 0, [rank, time, rank + 2]);
        } else if (name === 'remove' && at < model.length) {
          lists.removeAt(list, at);
          model.splice(at, 1);
        } else if (name === 'weigh' && at < model.length) {
          lists.setWeight(list, at, time);
          model[at]![2] = time;
        } else if (name === 'clear' && at < 10) {
          lists.clear(list);
          model.length = 0;
        }
      }
      for (const [which, model] of models.entries()) {
        const list = first + which * listInts;
        const places = Array.from({ length: lists.length(list) }, (_, index) => index);
        expect(places.map((at) => [lists.rank(list, at), lists.sender(list, at), lists.weight(list, at)])).toEqual(
          model,
        );
      }
    }),
  );
});
