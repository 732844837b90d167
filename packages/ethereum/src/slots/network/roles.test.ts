import { expect, it } from 'vitest';
import { drawn } from '../../../../../tests/drawn.ts';
import { groupsByPlace } from './roles.ts';

it('the group of a position is the one that contains it, for groups of any sizes', () => {
  drawn(30, (draw) => {
    let start = 0;
    const groups = draw.list(draw.integer(1, 8), () => {
      const group = { start, members: draw.one([1, 1, 2, 9, 40]), aggregators: [] };
      start += group.members;
      return group;
    });
    const groupOf = groupsByPlace(groups);
    for (const [index, { start: from, members }] of groups.entries())
      for (let place = from; place < from + members; place++)
        expect(groupOf(place)).toEqual({ index, start: from, members });
  });
});
