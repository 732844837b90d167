import type { RegistryEntry } from '@tutti/core';
import type { MemberProgress, RoundProposal } from './messages.ts';
import type { SlotRegistry } from './slotRegistry.ts';

/** A round of the room: everything on which its members agree. */
export interface RoomRound extends RoundProposal {
  /** Number of the round; 1 for the first round of the room. */
  readonly number: number;
  /** Random value for the round's shuffle, 32 bytes in hexadecimal. */
  readonly beacon: string;
  /** Registry entries in ascending order of names. */
  readonly entries: readonly RegistryEntry[];
  /** Number of signatures that a multi-signature requires. In a slot, number of votes in reach. */
  readonly threshold: number;
  /** The slot, if this round is a slot of Horn. */
  readonly slot?: SlotRegistry;
}

/**
 * State of a member for display.
 *
 * `here`: a message from it arrived recently. `asleep`: its page is hidden, or it has been silent for a while. `left`:
 * it has left, but its round is still running. `refused`: its card is invalid, so it takes part in nothing.
 */
export type MemberCondition = 'here' | 'asleep' | 'left' | 'refused';

/** State of a member, for display. */
export interface MemberView {
  readonly name: string;
  readonly label: string;
  readonly condition: MemberCondition;
  readonly isSelf: boolean;
  readonly isLeader: boolean;
  /** Whether the member is in the current or last round. */
  readonly inRound: boolean;
  readonly progress: MemberProgress | undefined;
  /** Number of the member's answer to its page's question, 0 to 15; undefined without an answer. */
  readonly answer: number | undefined;
  /** Number of the member's rejected inputs, by code. */
  readonly refused: Readonly<Record<string, number>>;
  /** Whether the member sent an invalid contribution, after which its node is ignored. */
  readonly lied: boolean;
}

/** Everything about a room that a page can display. */
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
