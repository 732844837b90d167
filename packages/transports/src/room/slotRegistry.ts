import type { RegistryEntry } from '@tutti/core';
import { defaultHornParameters, type HornParameters } from '@tutti/core/horn';
import { type Card, validatorsPerMember } from './card.ts';

/** Public data of a room's slot of Horn. The start message and the members' cards determine it. */
export interface SlotRegistry {
  /** Entries of the voting validators. Member `v % members`, in the order of names, hosts validator `v`. */
  readonly validators: readonly RegistryEntry[];
  readonly parameters: HornParameters;
}

/**
 * Size of a subcommittee. Half of its validators are elected to aggregate. Smaller rooms have smaller subcommittees.
 */
const subcommitteeSize = 16;

/**
 * Returns the validators and the parameters of a room's slot. The number of validators is the greatest power of two for
 * which the members have keys, so each member has 4 to 8 validators. In a subcommittee with fewer than 16 validators,
 * all of them aggregate, because an election could elect none.
 *
 * @param phaseMs length of each of the four phases, ms.
 */
export function slotRegistry(cards: readonly Card[], phaseMs: number): SlotRegistry {
  const size = 2 ** Math.floor(Math.log2(cards.length * validatorsPerMember));
  const validators = Array.from(
    { length: size },
    (_, validator) => cards[validator % cards.length]!.validators[Math.floor(validator / cards.length)]!,
  );
  const subcommittee = Math.min(subcommitteeSize, size / 2);
  const groups = Math.log2(size / subcommittee);
  const committees = 2 ** Math.floor(groups / 2);
  const committee = size / committees;
  return {
    validators,
    parameters: {
      ...defaultHornParameters,
      validators: size,
      committees,
      subcommittees: committee / subcommittee,
      aggregators: Math.min(subcommitteeSize / 2, subcommittee),
      collectors: Math.min(subcommitteeSize, committee),
      slotSeconds: (3 * phaseMs) / 1000,
      addedSeconds: phaseMs / 1000,
      blockCollections: 2 * committees,
    },
  };
}
