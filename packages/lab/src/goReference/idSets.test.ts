import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slab } from '../../../core/src/slab.ts';
import { IdSets, setInts } from './quirkMemory.ts';

it('reports which ids are new, like a Set, for two independent sets', () => {
  const id = fc.oneof(fc.nat(40), fc.nat(4000), fc.nat(2 ** 20 - 1));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), id), { maxLength: 300 }), (added) => {
      const slab = new Slab();
      const sets = new IdSets(slab);
      const models = [true, false].map((which) => ({ which, set: slab.reserve(setInts), model: new Set<number>() }));
      for (const { set } of models) sets.open(set);
      for (const [which, one] of added) {
        const { set, model } = models.find((candidate) => candidate.which === which)!;
        expect(sets.add(set, one)).toBe(!model.has(one));
        model.add(one);
      }
    }),
  );
});

it('stores every id up to 4096, and the maximum id', () => {
  const slab = new Slab();
  const sets = new IdSets(slab);
  const set = slab.reserve(setInts);
  sets.open(set);
  const ids = [...Array(4097).keys(), 2 ** 20 - 1];
  expect(ids.every((id) => sets.add(set, id))).toBe(true);
  expect(ids.some((id) => sets.add(set, id))).toBe(false);
});
