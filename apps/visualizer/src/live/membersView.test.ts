import type { LiveView } from '@tutti/transports/rooms';
import { expect, it } from 'vitest';
import { guessCounts, titleOf } from './membersView.ts';

it('counts one answer for each present member, and none that is unknown or of a member that has left', () => {
  const members = [
    { answer: 0, condition: 'here' },
    { answer: 0, condition: 'asleep' },
    { answer: 4, condition: 'here' },
    { answer: 5, condition: 'here' },
    { answer: 1, condition: 'left' },
    { answer: 1, condition: 'refused' },
    { answer: undefined, condition: 'here' },
  ] as const;
  expect(guessCounts(members)).toEqual({ counts: [2, 0, 0, 0, 1], guessed: 3 });
});

it.each([
  [1, 'One vote in one block.'],
  [2, 'Two votes in one block.'],
])('the title of a block with %i votes is %s', (votes, title) => {
  const view = { members: [], block: { block: { votes } } } as unknown as LiveView;
  expect(titleOf(view)).toBe(title);
});
