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

/** What a node of Horn refuses of the gossip of others, before it verifies anything. */
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
  'too-short': "a packet is shorter than the channel's header and seal",
  'too-long': "a packet exceeds this channel's maximum packet size",
  'wrong-version': "a packet has another version of the channel's format",
  'wrong-session': 'a packet belongs to another registry or round',
  'unknown-sender': 'a packet names a sender that is not in the registry',
  misaddressed: 'a packet is addressed to another node',
  'stale-incarnation': 'a packet is sealed for an earlier incarnation of its receiver',
  'too-many-incarnations': 'a sender has restarted more often than the channel tracks',
  forged: 'a packet is not sealed by the sender that it names',
  replayed: 'a packet repeats an earlier packet',
  // Faults of the pieces of a message.
  'unknown-framing': 'a payload is neither a whole message nor a piece of a message',
  'malformed-piece': 'a piece has no bytes or lies outside its message',
  'oversized-message': 'the pieces of a message exceed the maximum message size',
  'duplicate-piece': 'a piece repeats an earlier piece',
  'contradictory-piece': 'a piece contradicts an earlier piece of the same message',
  'incomplete-message': 'a message was discarded before its last piece arrived',
  // Faults of a message, found by the decoder and by the node.
  truncated: 'a message is shorter than its announced length',
  'trailing-bytes': 'a message has bytes after its end',
  'unknown-version': 'a message has an unknown version',
  'unknown-flags': 'a message has unknown flags',
  'level-out-of-range': 'a message has a level that is not in the tree',
  'level-empty': 'a message has a level on which its receiver has no peers',
  'sender-out-of-range': 'a message is from a position outside the overlay',
  'sender-not-in-peer-set': 'a message is from a node that is not a peer on its level',
  'empty-set': 'an aggregate has no signer',
  'bit-beyond-end': 'a set has a member beyond its end, or a relayed signature names a signer beyond the registry',
  'unknown-set-form': 'a set has an unknown encoding',
  'wrong-period': 'a signature belongs to another period',
  'wrong-suite': 'a signature belongs to another suite',
  'wrong-span': 'an aggregate does not cover the peers of its level',
  'not-individual': "the part for the sender's individual contribution holds another contribution",
  blacklisted: 'a message is from a node that has sent an invalid contribution',
  // A message of Horn, by gossip.
  'not-elected': 'an aggregate or a collection names an author that was not elected for it',
  'second-message': 'an earlier message of the same author arrived from the same node or with other content',
  // A room's server.
  'malformed-request': 'an HTTP request has a malformed target, or several hosts',
  'unknown-host': 'a connection names a host other than this server',
  'foreign-origin': 'a connection is from a page of another origin',
  'unsupported-body': 'an HTTP request has a body with an unsupported type or encoding',
  'too-many-connections': "a connection exceeds the server's maximum, in total or per address",
  malformed: 'a request does not follow the protocol',
  'not-joined': 'a request came before a join',
  'already-joined': 'a connection joined twice',
  'not-your-name': 'a join does not prove possession of the secret of the key in its name',
  'too-many-rooms': "a join would exceed the server's maximum number of rooms",
  'too-many-rooms-of-address': 'a join would exceed the maximum number of rooms per address',
  'too-many-members-of-address': 'a join would exceed the maximum number of members per address',
  'too-many-in-room-of-address': 'a join would exceed the maximum share of a room per address',
  'room-full': 'a join is for a full room',
  'not-invited': 'a join has no invitation for a room that requires one, or its invitation is for no existing room',
  'invitation-taken': 'a join uses the invitation of a member who is in the room',
  'name-taken': 'a join uses the name of a member who is in the room',
  'unknown-member': 'a message is for or from a member who is not in the room',
  'too-fast': "a connection exceeds the server's rate limit",
  // Faults found by members of a room.
  'malformed-heartbeat': "a member's heartbeat cannot be decoded",
  'malformed-card': "a member's card cannot be decoded",
  'malformed-message': "a leader's message cannot be decoded",
  'malformed-signal': 'an offer or an answer for a link cannot be decoded',
  'forged-card': "a member's card belongs to another member",
  'not-leader': 'a message that only the leader may send is from another member',
  'not-sealed': 'a signal came unsealed',
  'old-round': 'a start names a round that has ended',
  'unknown-member-in-round': 'a start names members who are not in the room',
  'too-many-offers': 'a member offers more links than the maximum',
  'unexpected-answer': 'an answer belongs to no offer',
  'unknown-purpose': 'a sealed signal has an unknown purpose',
};
