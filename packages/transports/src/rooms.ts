/**
 * Live rooms: people meet by a link, the leader proposes a message, and all sign it. {@link LiveMember} is a member,
 * {@link makeIdentity} creates its name and keys. Runs in pages and in Node; `examples/room.mjs` is a whole room.
 *
 * @example
 * ```js
 * import { nobleCrypto } from '@tutti/transports/browser';
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

export type { HornKernel } from './horn/hornGroup.ts';
export type { RoomRefusal } from './refusals.ts';
export {
  type Card,
  type IdentityKernel,
  isLabel,
  type MemberIdentity,
  makeIdentity,
  maxLabelCharacters,
  validatorsPerMember,
} from './room/card.ts';
export { LiveMember, type LiveMemberOptions, type LiveView } from './room/liveMember.ts';
export type { MemberProgress, RoundProposal } from './room/messages.ts';
export type { RoomResult, RoomStep } from './room/roomSession.ts';
export type { MemberCondition, MemberView, RoomRound } from './room/roomView.ts';
export { shownText } from './room/shownText.ts';
export type { SlotRegistry } from './room/slotRegistry.ts';
export type { RoomBlock, RoomSlot, SlotAttack, VotesKnown } from './room/slotSession.ts';
export { isInvitation } from './signalling/places.ts';
