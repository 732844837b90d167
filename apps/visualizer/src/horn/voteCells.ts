import { type SlotIndex, VoterRole } from './slotIndex.ts';

/**
 * Where each vote stands in its subcommittee, from 0: honest voters first, those whose votes Eve will lose last of
 * them, then those who are offline, then Eve's: so the place of a dot says what its colour says, and areas can be
 * compared.
 */
export function voteCells({
  roles,
  subcommittee,
}: Pick<SlotIndex, 'roles' | 'subcommittee'>): Uint32Array<ArrayBuffer> {
  const cells = new Uint32Array(roles.length);
  for (let start = 0; start < roles.length; start += subcommittee) {
    const voters = roles.subarray(start, start + subcommittee);
    const next = new Uint32Array(groups + 1);
    for (const role of voters) next[groupOf(role) + 1]!++;
    for (let group = 1; group < groups; group++) next[group]! += next[group - 1]!;
    voters.forEach((role, voter) => {
      cells[start + voter] = next[groupOf(role)]!++;
    });
  }
  return cells;
}

const order: readonly number[] = [VoterRole.honest, VoterRole.lostToEve, VoterRole.absent, VoterRole.byzantine];
const groups = order.length;
const groupOf = (role: number): number => order.indexOf(role);
