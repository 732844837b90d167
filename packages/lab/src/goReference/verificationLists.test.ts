import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Slab } from '../../../core/src/slab.ts';
import { listInts, unmarked, VerificationLists, type WaitingVerification } from './quirkMemory.ts';

/** Creates two lists in one slab, so that a test can see whether one affects the other's entries. */
function twoLists(): { lists: VerificationLists; one: number; other: number } {
  const slab = new Slab();
  const lists = new VerificationLists(slab);
  const [one, other] = [slab.reserve(listInts), slab.reserve(listInts)];
  lists.open(one);
  lists.open(other);
  return { lists, one, other };
}

function entriesOf(lists: VerificationLists, list: number): (WaitingVerification & { mark: number })[] {
  return Array.from({ length: lists.count(list) }, (_, place) => ({
    ...lists.get(list, place),
    mark: lists.mark(list, place),
  }));
}

it('is empty at first', () => {
  const { lists, one } = twoLists();
  expect(entriesOf(lists, one)).toEqual([]);
});

it('keeps checks in order of arrival, unmarked until they are marked', () => {
  const { lists, one } = twoLists();
  lists.push(one, 3, 7, 100);
  lists.push(one, 4, 9, 101);
  lists.setMark(one, 1, 55);
  expect(entriesOf(lists, one)).toEqual([
    { level: 3, sender: 7, contribution: 100, mark: unmarked },
    { level: 4, sender: 9, contribution: 101, mark: 55 },
  ]);
  expect([lists.level(one, 1), lists.sender(one, 1), lists.contribution(one, 1)]).toEqual([4, 9, 101]);
});

it('equals an array of checks after growth and wrap-around', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ name: fc.constant('push' as const), at: fc.nat(1000) }) },
    fc.record({ name: fc.constantFrom('shift', 'remove', 'copy', 'mark', 'set', 'shorten'), at: fc.nat(1000) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { lists, one, other } = twoLists();
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
