import { expect, test } from 'vitest';
import { VoterRole } from './fieldSlot.ts';
import { voteCells } from './fieldView.ts';

const { honest, absent, byzantine, lostToEve } = VoterRole;

test('orders each subcommittee: honest voters, votes excluded by Eve, offline validators, Eve’s own votes', () => {
  const roles = Uint8Array.of(byzantine, lostToEve, absent, honest, honest, honest, byzantine, byzantine);
  expect([...voteCells({ roles, subcommittee: 4 })]).toEqual([3, 1, 2, 0, 0, 1, 2, 3]);
});
