import { RandomStream } from '@tutti/core';
import { expect, it } from 'vitest';
import { PlaceBits } from './gossipState.ts';

it('contains the added messages, for any number of messages', () => {
  const random = new RandomStream(1, 'bits of a test');
  const [members, messages] = [13, 1000];
  const bits = new PlaceBits(members);
  const added = new Set<number>();
  for (let step = 0; step < 2000; step++) {
    const place = random.nextBelow(members);
    const rank = random.nextBelow(Math.ceil((messages * (step + 1)) / 2000));
    bits.add(place, rank);
    added.add(place * messages + rank);
  }
  for (let place = 0; place < members; place++)
    for (let rank = 0; rank < messages; rank++) expect(bits.has(place, rank)).toBe(added.has(place * messages + rank));
  expect(bits.has(0, 10 * messages)).toBe(false);
});
