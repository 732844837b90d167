import { describe, expect, it } from 'vitest';
import { Slab } from '../../slab.ts';
import { List, nil, Pending } from './pending.ts';

const senders = Array.from({ length: 100 }, (_, sender) => sender);

function newPending(): Pending {
  const pending = new Pending(3, new Slab());
  pending.open();
  return pending;
}

describe('the memory of pending contributions', () => {
  it('is reported, and is released when the entries are removed from the queue', () => {
    const pending = newPending();
    for (const sender of senders) pending.queue(3, sender, sender);
    const { ints } = pending;
    expect(ints).toBeGreaterThanOrEqual(4 * senders.length);
    for (const _ of senders) pending.remove(3, nil);
    expect([pending.ints, pending.maxInts]).toEqual([0, ints]);
  });

  it.each([List.dormant, List.verified])('is released when the contributions are removed from list %i', (list) => {
    const pending = newPending();
    for (const sender of senders) pending.storeIndividual(3, list, sender, sender + 1);
    expect(pending.ints).toBeGreaterThanOrEqual(2 * senders.length);
    while (pending.countOf(pending.run(3, list)) > 0) pending.removeIndividual(3, list, 0);
    expect(pending.ints).toBe(0);
  });
});
