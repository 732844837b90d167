import { hornSizes, type ValidatorRole } from '@tutti/core/horn';
import { addMember, emptySet, type MemberSet } from '@tutti/core/horn-rules';
import { hornAttacks } from '@tutti/ethereum';
import type { HornPeerOptions, HornSlot } from '@tutti/transports/horn';
import type { ByzantineGroup } from './cast.ts';

/** Returns the roles of a Byzantine group's validators in a real slot, according to an attack of the simulator. */
export function byzantineRoles(
  slot: HornSlot,
  { attack: name, first, end }: ByzantineGroup,
): Pick<HornPeerOptions, 'role' | 'casts'> {
  const attack = hornAttacks.find((one) => one.name === name)!;
  const { plan, clock } = slot;
  const { subcommittee } = hornSizes(plan.parameters);
  const isHers = (place: number): boolean => plan.nodeAt[place]! >= first && plan.nodeAt[place]! < end;
  const hersAt = (place: number): MemberSet => {
    const start = place - (place % subcommittee);
    const set = emptySet(subcommittee);
    for (let member = 0; member < subcommittee; member++) if (isHers(start + member)) addMember(set, member);
    return set;
  };
  const role = (place: number): ValidatorRole => {
    const hers = hersAt(place);
    const member = place % subcommittee;
    return {
      clock: attack.clock(clock, true),
      collection: attack.collection,
      aggregate: (verified) => attack.aggregate({ verified, hers, order: [], member }),
      rank: (author, weight) => (attack.prefersHers && isHers(author) ? weight + subcommittee : weight),
    };
  };
  return { role, casts: () => attack.votes(false) };
}
