import type { RegistryEntry } from '@tutti/core';
import { defaultHornParameters, type HornParameters } from '@tutti/core/horn';
import { Counts, type Refusal } from '../refusals.ts';
import { type Card, validatorsPerMember } from './card.ts';
import type { MemberProgress, RoundProposal } from './messages.ts';

/** A round of the room: all data on which its members agree. */
export interface RoomRound extends RoundProposal {
  /** Number of the round; 1 for the first round of the room. */
  readonly number: number;
  /** Random value for the round's shuffle, 32 bytes in hexadecimal. */
  readonly beacon: string;
  /** Registry entries in ascending order of names. */
  readonly entries: readonly RegistryEntry[];
  /** Number of signatures that a multi-signature requires; in a slot, number of votes that must be in reach. */
  readonly threshold: number;
  /** The slot's public data, if this round is a Horn slot. */
  readonly slot?: SlotRegistry;
}

/**
 * State of a member for display.
 *
 * `here`: the member sent a message recently. `asleep`: the member's page is hidden, or the member has been silent for
 * a while. `left`: the member has left, but is in the current or last round. `refused`: the member's card is invalid,
 * so the member takes part in nothing.
 */
export type MemberCondition = 'here' | 'asleep' | 'left' | 'refused';

/** All data about a member, for display. */
export interface MemberView {
  readonly name: string;
  readonly label: string;
  readonly condition: MemberCondition;
  readonly isSelf: boolean;
  readonly isLeader: boolean;
  /** Whether the member is in the current or last round. */
  readonly inRound: boolean;
  readonly progress: MemberProgress | undefined;
  /** Number of the answer that the member chose to the question on its page, 0 to 15; undefined without an answer. */
  readonly answer: number | undefined;
  /** Number of the member's rejected inputs, by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Whether the member sent an invalid contribution in the current or last round. Its node is then ignored. */
  readonly isByzantine: boolean;
}

/** All data about a room that a page can display. */
export interface RoomView {
  readonly self: string;
  /** The member that chooses the message and starts rounds; undefined if no present member may lead. */
  readonly leader: string | undefined;
  readonly members: readonly MemberView[];
  readonly proposal: RoundProposal;
  readonly round: RoomRound | undefined;
  /** Number of rejections that belong to no particular member, by code. */
  readonly refused: Readonly<Record<string, number>>;
}

/** Public data of a Horn slot in a room. The start message and the members' cards determine the data. */
export interface SlotRegistry {
  /** Entries of the voting validators. Member `v % members`, in the order of names, hosts validator `v`. */
  readonly validators: readonly RegistryEntry[];
  readonly parameters: HornParameters;
}

/**
 * Maximum number of validators in a subcommittee. Half of a full subcommittee's validators are elected to aggregate.
 * Smaller rooms have smaller subcommittees.
 */
const maxSubcommittee = 16;

/**
 * Returns the validators and the parameters of a Horn slot in a room. The number of validators is the largest power of
 * two for which the members have enough keys, so each member hosts 4 to 8 validators. In a subcommittee with fewer than
 * 16 validators, all of them aggregate, because an election might select none.
 *
 * @param phaseMs length of each of the four phases, ms.
 */
export function slotRegistry(cards: readonly Card[], phaseMs: number): SlotRegistry {
  const size = 2 ** Math.floor(Math.log2(cards.length * validatorsPerMember));
  const validators = Array.from(
    { length: size },
    (_, validator) => cards[validator % cards.length]!.validators[Math.floor(validator / cards.length)]!,
  );
  const subcommittee = Math.min(maxSubcommittee, size / 2);
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
      aggregators: Math.min(maxSubcommittee / 2, subcommittee),
      collectors: Math.min(maxSubcommittee, committee),
      slotSeconds: (3 * phaseMs) / 1000,
      addedSeconds: phaseMs / 1000,
      blockCollections: 2 * committees,
    },
  };
}

/** Time without a heartbeat after which a member counts as silent, ms; the member has then missed three heartbeats. */
const silentMs = 10_000;

/** A member of a room, as another member knows it. */
export class Member {
  readonly name: string;
  /** Card of the member; undefined if it is invalid. */
  readonly card: Card | undefined;
  readonly refused = new Counts<Refusal>();
  heardMs: number;
  awake = true;
  left = false;
  isByzantine = false;
  progress: MemberProgress | undefined;
  answer: number | undefined;
  /** Whether all validators of the card are genuine; undefined before the check. */
  hasGenuineValidators: boolean | undefined;

  constructor(name: string, card: Card | undefined, nowMs: number) {
    this.name = name;
    this.card = card;
    this.heardMs = nowMs;
    this.hasGenuineValidators = card === undefined ? false : undefined;
  }
}

/** Members of a room in order of arrival, and the facts that follow from the times of their messages. */
export class Members extends Map<string, Member> {
  readonly #self: string;
  /** Time of the last event, ms. */
  nowMs = 0;

  /** @param self name of this member, which never counts as silent. */
  constructor(self: string) {
    super();
    this.#self = self;
  }

  /** The leader: the first member that may lead, is present and is not silent. */
  get leader(): string | undefined {
    for (const member of this.values()) if (member.card?.mayLead && this.#isPresent(member)) return member.name;
    return undefined;
  }

  /** Number of silent members. */
  get silent(): number {
    return [...this.values()].filter((member) => this.#isSilent(member)).length;
  }

  /** Returns the members that would take part in the next round. */
  present(): Member[] {
    return [...this.values()].filter((member) => this.#isPresent(member));
  }

  /** Returns the state of a member for display. */
  condition(member: Member): MemberCondition {
    if (member.card === undefined) return 'refused';
    if (member.left) return 'left';
    return member.awake && !this.#isSilent(member) ? 'here' : 'asleep';
  }

  #isPresent(member: Member): boolean {
    return member.card !== undefined && !member.left && !this.#isSilent(member);
  }

  #isSilent({ name, heardMs }: Member): boolean {
    return name !== this.#self && this.nowMs - heardMs >= silentMs;
  }
}
