/**
 * Live rooms: people meet through a link, the leader proposes a message, and all members sign it. {@link LiveMember}
 * represents a member, and {@link makeIdentity} creates a member's name and keys. `examples/room.mjs` runs a complete
 * room. A room can also run a Horn slot: {@link HornGroup} is a registry of validators and their nodes,
 * {@link HornSlot} is one slot of that registry, and {@link HornPeer} is a node in the slot with its validators. This
 * module runs in browser pages and in Node.
 *
 * @example
 * ```js
 * import { nobleCrypto } from '@tutti/transports';
 * import { isLabel, makeIdentity } from '@tutti/transports/rooms';
 * import { loadBls } from '@tutti/wasm-bls';
 *
 * const { name, card } = makeIdentity(nobleCrypto, await loadBls(), { label: 'Ada', mayLead: true });
 * console.log(`${JSON.parse(card).label} is known by a name of ${name.length} digits`);
 * console.log(`blanks are a label: ${isLabel('  ')}`);
 * ```
 *
 * ```text
 * Ada is known by a name of 64 digits
 * blanks are a label: false
 * ```
 *
 * @packageDocumentation
 */

export { HornGroup, type HornGroupOptions, type HornHost, type HornKernel } from './horn/hornGroup.ts';
export {
  type HornCounts,
  HornPeer,
  type HornPeerOptions,
  type HornReport,
  type TimedMessage,
} from './horn/hornPeer.ts';
export {
  type BlockVotes,
  type HornBlock,
  HornSlot,
  type HornSlotOptions,
  type SlotMessage,
} from './horn/hornSlot.ts';
export type { RoomRefusal } from './refusals.ts';
export {
  type Card,
  type IdentityKernel,
  isLabel,
  type MemberIdentity,
  makeIdentity,
  maxLabelCharacters,
  shownText,
  validatorsPerMember,
} from './room/card.ts';
export { LiveMember, type LiveMemberOptions, type LiveView } from './room/liveMember.ts';
export type { MemberProgress, RoundProposal } from './room/messages.ts';
export type { RoomResult, RoomStep } from './room/roomSession.ts';
export type { MemberCondition, MemberView, RoomRound, SlotRegistry } from './room/roomState.ts';
export type { RoomBlock, RoomSlot, SlotAttack, VotesKnown } from './room/slotSession.ts';
export { isInvitation } from './signalling/messages.ts';
