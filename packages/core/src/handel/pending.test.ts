import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upTo } from '../../test/sizes.ts';
import { noContribution } from '../protocol.ts';
import { Slab } from '../slab.ts';
import { List, nil, Pending, unscored } from './pending.ts';

interface Entry {
  readonly sender: number;
  readonly rank: number;
  aggregate: number;
  individual: number;
}

function listed(pending: Pending, level: number, list: number): Entry[] {
  const entries: Entry[] = [];
  for (let entry = pending.head(level, list); entry !== nil; entry = pending.next(entry)) {
    entries.push({
      sender: pending.sender(entry),
      rank: list === List.queued ? pending.rank(entry) : 0,
      aggregate: pending.aggregate(entry),
      individual: pending.individual(entry),
    });
  }
  return entries;
}

/** The entry before the one at a place of a list, as {@link Pending.remove} wants it. */
function entryBefore(pending: Pending, level: number, list: number, place: number): number {
  let before = nil;
  for (let at = 0; at < place; at++) before = before === nil ? pending.head(level, list) : pending.next(before);
  return before;
}

describe('Pending', () => {
  it('begins with empty lists', () => {
    const pending = new Pending(3);
    for (let level = 1; level <= 3; level++) {
      for (const list of Object.values(List))
        expect([pending.head(level, list), pending.length(level, list)]).toEqual([nil, 0]);
    }
  });

  it('v1.03 3.5.2: has one queued entry for a sender, in order of rank', () => {
    const pending = new Pending(2);
    for (const sender of [5, 2, 9, 0, 2, 5]) pending.setAggregate(pending.queue(1, sender, sender * 10), 100 + sender);
    expect(listed(pending, 1, List.queued)).toEqual(
      [0, 2, 5, 9].map((sender) => ({
        sender,
        rank: sender * 10,
        aggregate: 100 + sender,
        individual: noContribution,
      })),
    );
  });

  it("forgets an entry's score when one of its contributions changes", () => {
    const pending = new Pending(1);
    const entry = pending.queue(1, 4, 4);
    expect(pending.score(entry)).toBe(unscored);
    pending.setScore(entry, 12);
    expect(pending.score(entry)).toBe(12);
    pending.setAggregate(entry, 77);
    expect(pending.score(entry)).toBe(unscored);
    pending.setScore(entry, 12);
    pending.setIndividual(entry, 78);
    expect(pending.score(entry)).toBe(unscored);
  });

  it("keeps what a sorted model keeps, on all levels and lists, beside another node's in one slab", () => {
    const step = fc.record({
      node: fc.nat(1),
      level: fc.integer({ min: 1, max: 3 }),
      what: fc.nat(9),
      sender: fc.nat(60),
      value: fc.integer({ min: 1, max: 1000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 250, size: 'max' }), (steps) => {
        const slab = new Slab();
        const nodes = [0, 1].map(() => ({
          pending: new Pending(3, slab),
          model: new Map<string, Entry[]>(),
        }));
        for (const { node, level, what, sender, value } of steps) {
          const { pending, model } = nodes[node]!;
          const list = what % 3;
          const key = `${level} ${list}`;
          const entries = model.get(key) ?? [];
          model.set(key, entries);
          if (what >= 6 && entries.length > 0) {
            const place = value % entries.length;
            pending.remove(level, list, entryBefore(pending, level, list, place));
            entries.splice(place, 1);
          } else if (list === List.queued) {
            const rank = (sender * 37) % 61;
            const entry = pending.queue(level, sender, rank);
            let kept = entries.find((other) => other.sender === sender);
            if (kept === undefined) {
              kept = { sender, rank, aggregate: noContribution, individual: noContribution };
              entries.push(kept);
              entries.sort((a, b) => a.rank - b.rank);
            }
            if (value % 2 === 0) {
              kept.aggregate = value;
              pending.setAggregate(entry, value);
            } else {
              kept.individual = value;
              pending.setIndividual(entry, value);
            }
          } else {
            pending.push(level, list, sender, value);
            entries.unshift({ sender, rank: 0, aggregate: noContribution, individual: value });
          }
          expect(listed(pending, level, list)).toEqual(entries);
        }
        for (const { pending, model } of nodes) {
          for (let level = 1; level <= 3; level++) {
            for (const list of Object.values(List)) {
              const entries = model.get(`${level} ${list}`) ?? [];
              expect(listed(pending, level, list)).toEqual(entries);
              expect(pending.length(level, list)).toBe(entries.length);
            }
          }
        }
      }),
    );
  });

  it('keeps thirty thousand entries', () => {
    const pending = new Pending(1);
    // From the highest rank down, so that each goes to the front.
    for (let sender = 29_999; sender >= 0; sender--)
      pending.setIndividual(pending.queue(1, sender, sender), sender + 1);
    let entry = pending.head(1, List.queued);
    for (const sender of upTo(30_000)) {
      if (entry === nil || pending.sender(entry) !== sender || pending.individual(entry) !== sender + 1) {
        expect.fail(`entry of sender ${sender}`);
      }
      entry = pending.next(entry);
    }
    expect(entry).toBe(nil);
  });

  it('says how much its entries take, and took at most', () => {
    const pending = new Pending(3);
    for (const sender of [4, 5, 6]) pending.queue(2, sender, sender);
    const most = pending.ints;
    expect(pending.mostInts).toBe(most);
    pending.remove(2, List.queued, nil);
    expect([pending.ints < most, pending.mostInts]).toEqual([true, most]);
  });
});
