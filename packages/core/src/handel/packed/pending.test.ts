import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { upTo } from '../../../test/sizes.ts';
import { noContribution } from '../../protocol.ts';
import { Slab } from '../../slab.ts';
import { type KeptList, List, nil, Pending, unscored } from './pending.ts';

interface Entry {
  readonly sender: number;
  readonly rank: number;
  aggregate: number;
  individual: number;
}

interface Kept {
  readonly sender: number;
  readonly individual: number;
}

function queued(pending: Pending, level: number): Entry[] {
  const entries: Entry[] = [];
  for (let entry = pending.head(level); entry !== nil; entry = pending.next(entry)) {
    entries.push({
      sender: pending.sender(entry),
      rank: pending.rank(entry),
      aggregate: pending.aggregate(entry),
      individual: pending.individual(entry),
    });
  }
  return entries;
}

function kept(pending: Pending, level: number, list: KeptList): Kept[] {
  const run = pending.run(level, list);
  return upTo(pending.countOf(run)).map((place) => ({
    sender: pending.senderIn(run, place),
    individual: pending.individualIn(run, place),
  }));
}

/** Returns the entry before the one at an index of the queue, as {@link Pending.remove} takes it. */
function entryBefore(pending: Pending, level: number, place: number): number {
  let before = nil;
  for (let at = 0; at < place; at++) before = before === nil ? pending.head(level) : pending.next(before);
  return before;
}

const keptLists = [List.dormant, List.verified] as const;

/** Removes an entry from both the queue and the model, or changes one of the sender's contributions in both. */
function applyQueued(
  pending: Pending,
  entries: Entry[],
  step: { level: number; sender: number; value: number; isTaken: boolean },
): void {
  const { level, sender, value, isTaken } = step;
  if (isTaken && entries.length > 0) {
    const place = value % entries.length;
    pending.remove(level, entryBefore(pending, level, place));
    entries.splice(place, 1);
    return;
  }
  const rank = (sender * 37) % 61;
  const entry = pending.queue(level, sender, rank);
  let known = entries.find((other) => other.sender === sender);
  if (known === undefined) {
    known = { sender, rank, aggregate: noContribution, individual: noContribution };
    entries.push(known);
    entries.sort((a, b) => a.rank - b.rank);
  }
  if (value % 2 === 0) {
    known.aggregate = value;
    pending.setAggregate(entry, value);
  } else {
    known.individual = value;
    pending.setIndividual(entry, value);
  }
}

/**
 * Adds an individual contribution to both the list and the model, or removes one from both. The last contribution fills
 * the gap.
 */
function applyKept(
  pending: Pending,
  model: Kept[],
  step: { level: number; list: KeptList; sender: number; value: number; isTaken: boolean },
): void {
  const { level, list, sender, value, isTaken } = step;
  if (!isTaken || model.length === 0) {
    pending.keep(level, list, sender, value);
    model.push({ sender, individual: value });
    return;
  }
  const place = value % model.length;
  expect(pending.takeKept(level, list, place)).toBe(model[place]!.individual);
  const last = model.pop()!;
  if (place < model.length) model[place] = last;
}

describe('Pending', () => {
  it('begins with empty lists', () => {
    const pending = new Pending(3);
    for (let level = 1; level <= 3; level++) {
      expect([pending.head(level), pending.length(level)]).toEqual([nil, 0]);
      for (const list of keptLists) expect(pending.countOf(pending.run(level, list))).toBe(0);
    }
  });

  it('v1.03 3.5.2: has one queued entry for a sender, in order of rank', () => {
    const pending = new Pending(2);
    for (const sender of [5, 2, 9, 0, 2, 5]) pending.setAggregate(pending.queue(1, sender, sender * 10), 100 + sender);
    expect(queued(pending, 1)).toEqual(
      [0, 2, 5, 9].map((sender) => ({
        sender,
        rank: sender * 10,
        aggregate: 100 + sender,
        individual: noContribution,
      })),
    );
  });

  it("removes an entry's score when one of its contributions changes", () => {
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

  it('stores the same as a sorted model, on all levels and lists, with another node in the same slab', () => {
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
          entries: upTo(4).map((): Entry[] => []),
          kept: upTo(4).map((): Record<KeptList, Kept[]> => ({ [List.dormant]: [], [List.verified]: [] })),
        }));
        for (const { node, level, what, sender, value } of steps) {
          const { pending, entries, kept: keptAt } = nodes[node]!;
          const list = keptLists[(what % 3) - 1];
          if (list === undefined) applyQueued(pending, entries[level]!, { level, sender, value, isTaken: what >= 6 });
          else applyKept(pending, keptAt[level]![list], { level, list, sender, value, isTaken: what >= 6 });
          expect(queued(pending, level)).toEqual(entries[level]);
          for (const one of keptLists) expect(kept(pending, level, one)).toEqual(keptAt[level]![one]);
        }
        for (const { pending, entries, kept: keptAt } of nodes) {
          for (let level = 1; level <= 3; level++) {
            expect(queued(pending, level)).toEqual(entries[level]);
            expect(pending.length(level)).toBe(entries[level]!.length);
            for (const list of keptLists) expect(kept(pending, level, list)).toEqual(keptAt[level]![list]);
          }
        }
      }),
    );
  });

  it('stores thirty thousand entries', () => {
    const pending = new Pending(1);
    // Inserts from the highest rank down, so that each entry goes to the front.
    for (let sender = 29_999; sender >= 0; sender--)
      pending.setIndividual(pending.queue(1, sender, sender), sender + 1);
    let entry = pending.head(1);
    for (const sender of upTo(30_000)) {
      if (entry === nil || pending.sender(entry) !== sender || pending.individual(entry) !== sender + 1) {
        expect.fail(`entry of sender ${sender}`);
      }
      entry = pending.next(entry);
    }
    expect(entry).toBe(nil);
  });

  it('reports the current and maximum memory of its entries', () => {
    const pending = new Pending(3);
    for (const sender of [4, 5, 6]) pending.queue(2, sender, sender);
    const most = pending.ints;
    expect(pending.maxInts).toBe(most);
    pending.remove(2, nil);
    expect([pending.ints < most, pending.maxInts]).toEqual([true, most]);
  });

  it('returns all memory of its lists', () => {
    const pending = new Pending(3);
    for (const list of keptLists) {
      for (const sender of upTo(100)) pending.keep(3, list, sender, sender + 1);
      expect(pending.ints).toBeGreaterThanOrEqual(200);
      expect(pending.ints).toBeLessThan(4 * 101);
      while (pending.countOf(pending.run(3, list)) > 0) pending.takeKept(3, list, 0);
      expect(pending.ints).toBe(0);
    }
  });
});
