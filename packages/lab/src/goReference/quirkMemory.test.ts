import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slab } from '../../../core/src/slab.ts';
import { IdSets, listInts, setInts, unmarked, VerificationLists, type WaitingVerification } from './quirkMemory.ts';

function entriesOf(lists: VerificationLists, list: number): (WaitingVerification & { mark: number })[] {
  return Array.from({ length: lists.count(list) }, (_, place) => ({
    ...lists.get(list, place),
    mark: lists.mark(list, place),
  }));
}

it('equals an array of checks after growth and wrap-around', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ name: fc.constant('push' as const), at: fc.nat(1000) }) },
    fc.record({ name: fc.constantFrom('shift', 'remove', 'copy', 'mark', 'set', 'shorten'), at: fc.nat(1000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const slab = new Slab();
      const lists = new VerificationLists(slab);
      const [one, other] = [slab.reserve(listInts), slab.reserve(listInts)];
      lists.open(one);
      lists.open(other);
      const model: (WaitingVerification & { mark: number })[] = [];
      lists.push(other, 1, 2, 3);
      for (const [time, { name, at }] of steps.entries()) {
        const entry = { level: at % 32, sender: at, contribution: time, mark: unmarked };
        const place = at % Math.max(1, model.length);
        if (name === 'push') {
          lists.push(one, entry.level, entry.sender, entry.contribution);
          model.push(entry);
        } else if (model.length === 0) continue;
        else if (name === 'shift') {
          const { mark: _, ...check } = model.shift()!;
          expect(lists.shift(one)).toEqual(check);
        } else if (name === 'remove') {
          lists.remove(one, place);
          model.splice(place, 1);
        } else if (name === 'copy') {
          lists.copy(one, place, 0);
          model[0] = model[place]!;
        } else if (name === 'mark') {
          lists.setMark(one, place, time);
          model[place] = { ...model[place]!, mark: time };
        } else if (name === 'set') {
          lists.set(one, place, entry.level, entry.sender, entry.contribution, time);
          model[place] = { ...entry, mark: time };
        } else {
          lists.shorten(one, place);
          model.length = place;
        }
      }
      expect(entriesOf(lists, one)).toEqual(model);
      expect(entriesOf(lists, other)).toEqual([{ level: 1, sender: 2, contribution: 3, mark: unmarked }]);
    }),
  );
});

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
