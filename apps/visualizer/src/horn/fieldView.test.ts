import { expect, test } from 'vitest';
import { voteCells } from './fieldView.ts';
import { VoterRole } from './slotIndex.ts';

const { honest, absent, byzantine, lostToEve } = VoterRole;

test('in each subcommittee honest voters stand first, then those lost to Eve, then who is offline, then Eve’s own', () => {
  const roles = Uint8Array.of(byzantine, lostToEve, absent, honest, honest, honest, byzantine, byzantine);
  expect([...voteCells({ roles, subcommittee: 4 })]).toEqual([3, 1, 2, 0, 0, 1, 2, 3]);
});
