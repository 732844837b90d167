import type { MessageRefusal } from '@tutti/core';
import type { ChannelRefusal } from './channel/channel.ts';
import type { FragmentRefusal } from './channel/fragments.ts';
import type { AdmissionRefusal } from './http/admission.ts';
import type { SignallingRefusal } from './signalling/messages.ts';

/** Rejection codes of a room: of other members, of a server's transfers, and of a link. */
export type RoomRefusal =
  | 'malformed-heartbeat'
  | 'malformed-card'
  | 'malformed-message'
  | 'malformed-signal'
  | 'forged-card'
  | 'not-leader'
  | 'not-sealed'
  | 'old-round'
  | 'unknown-member-in-round'
  | 'too-many-offers'
  | 'unexpected-answer'
  | 'unknown-purpose';

/** Reasons for which a Horn node rejects a gossip message before it verifies anything. */
export type GossipRefusal = 'not-elected' | 'second-message';

/** Every code under which something that a peer sent is counted as refused, from the socket to the node. */
export type Refusal =
  | MessageRefusal
  | ChannelRefusal
  | FragmentRefusal
  | AdmissionRefusal
  | SignallingRefusal
  | RoomRefusal
  | GossipRefusal;

/**
 * Description of each code, one sentence each. Each fault has one code. The channel seals a packet; a node gets a
 * message; a piece is a part of a message.
 */
export const refusals: Readonly<Record<Refusal, string>> = {
  // Faults of a packet, found by the channel.
  'too-short': 'a packet is shorter than what the channel puts around a message',
  'too-long': 'a packet is longer than any that is sealed here',
  'wrong-version': 'a packet is of another version of the channel',
  'wrong-session': 'a packet is of another registry or round',
  'unknown-sender': 'a packet names a sender that the registry does not have',
  misaddressed: 'a packet is for somebody else',
  'stale-incarnation': 'a packet is sealed for an earlier incarnation of its receiver',
  'too-many-incarnations': 'the sender has restarted more often than the channel tracks',
  forged: 'a packet is not sealed by the sender that it names',
  replayed: 'a packet has come before',
  // Faults of the pieces of a message.
  'unknown-framing': 'a payload is neither a whole message nor a piece of one',
  'malformed-piece': 'a piece has no bytes or no place in its message',
  'oversized-message': 'the pieces of a message are together longer than any message',
  'duplicate-piece': 'a piece has come before',
  'contradictory-piece': 'a piece says other than one of the same message before it',
  'incomplete-message': 'a message was given up before its last piece came',
  // Faults of a message, found by the decoder and by the node.
  truncated: 'a message ends before what it announces',
  'trailing-bytes': 'a message goes on after its end',
  'unknown-version': 'a message is of an unknown version',
  'unknown-flags': 'a message has flags that mean nothing here',
  'level-out-of-range': 'a message is of a level that the tree does not have',
  'level-empty': 'a message is of a level on which its receiver has no peers',
  'sender-out-of-range': 'a message is from a position that the overlay does not have',
  'sender-not-in-peer-set': 'a message is from somebody who is not a peer on its level',
  'empty-set': 'an aggregate has no signer',
  'bit-beyond-end': 'a set has a member beyond its end, or a relayed signature names a signer beyond the registry',
  'unknown-set-form': 'a set is in an unknown form',
  'wrong-period': 'a signature is of another period',
  'wrong-suite': 'a signature is of another suite',
  'wrong-span': 'an aggregate is not over the peers of its level',
  'not-individual': "what stands for the sender's individual contribution is not that",
  blacklisted: 'a message is from somebody who has sent an invalid contribution',
  // A message of Horn, by gossip.
  'not-elected': 'an aggregate or a collection names an author that is not elected to make it',
  'second-message': 'a message of an author has come before, from the same node or with other content',
  // A room's server.
  'malformed-request': 'an HTTP request has a malformed target, or several hosts',
  'unknown-host': "a connection is to a name that is not this server's",
  'foreign-origin': 'a connection is from a page of another origin',
  'unsupported-body': 'an HTTP request has a body of a type or an encoding that the server does not take',
  'too-many-connections': 'a connection is one more than the server keeps, of all or of one address',
  malformed: 'a request is not one of the protocol',
  'not-joined': 'a request came before a join',
  'already-joined': 'a connection joined twice',
  'not-your-name': 'a join does not prove that it has the secret of the key it is named by',
  'too-many-rooms': 'a join would open more rooms than the server keeps',
  'too-many-rooms-of-address': 'a join would open more rooms than one address may',
  'too-many-members-of-address': 'a join would bring more members than one address may have',
  'too-many-in-room-of-address': 'a join would take more of a room than one address may have',
  'room-full': 'a join is to a room that holds no more',
  'not-invited': 'a join brings no invitation of a room that takes nobody without one, or one of no room',
  'invitation-taken': 'a join is with an invitation whose member is in the room',
  'name-taken': 'a join is under a name that is in the room',
  'unknown-member': 'something is for or from a member that is not in the room',
  'too-fast': 'a connection sends more than the server carries for one',
  // Faults found by members of a room.
  'malformed-heartbeat': "a member's sign of life cannot be read",
  'malformed-card': "a member's card cannot be read",
  'malformed-message': "a leader's message cannot be read",
  'malformed-signal': 'an offer or an answer of a link cannot be read',
  'forged-card': "a member's card is not its own",
  'not-leader': 'a message that is the leader’s to send is from another member',
  'not-sealed': 'a signal came unsealed',
  'old-round': 'a start is of a round that is over',
  'unknown-member-in-round': 'a start has members that are not in the room',
  'too-many-offers': 'a member offers more links than are taken',
  'unexpected-answer': 'an answer belongs to no offer',
  'unknown-purpose': 'a sealed signal is for nothing that is known',
};
