import type { MessageRefusal } from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import type { ChannelRefusal } from './channel/channel.ts';
import type { FragmentRefusal } from './channel/fragments.ts';
import type { AdmissionRefusal } from './http/admission.ts';
import type { SignallingRefusal } from './signalling/messages.ts';

/** Codes of the faults that a member of a room detects in cards, heartbeats, leader messages, signals and offers. */
export type RoomRefusal =
  | 'malformed-heartbeat'
  | 'malformed-card'
  | 'malformed-message'
  | 'malformed-signal'
  | 'forged-card'
  | 'not-leader'
  | 'not-sealed'
  | 'old-round'
  | 'round-too-far'
  | 'unknown-member-in-round'
  | 'too-many-offers'
  | 'unexpected-answer'
  | 'unknown-purpose';

/** Reasons why a Horn node rejects a well-formed gossip message although its signatures may be valid. */
export type GossipRefusal = 'not-elected' | 'second-message';

/** All codes under which rejected input from a peer is counted, in every layer from the socket to the node. */
export type Refusal =
  | MessageRefusal
  | ChannelRefusal
  | FragmentRefusal
  | AdmissionRefusal
  | SignallingRefusal
  | RoomRefusal
  | GossipRefusal;

/**
 * Description of each code, one sentence each. Each fault has one code. The channel seals packets. A packet contains a
 * message or a piece of a message.
 */
export const refusals: Readonly<Record<Refusal, string>> = {
  // Faults of a packet, detected by the channel.
  'too-short': 'the packet is shorter than a header plus an authentication tag',
  'too-long': "the packet exceeds this node's maximum packet size",
  'wrong-version': 'the packet has an unsupported format version',
  'wrong-session': 'the packet belongs to another registry or round',
  'unknown-sender': 'the sender is not in the registry, or is the receiver itself',
  misaddressed: 'the packet is addressed to another node',
  'stale-incarnation': 'the packet was sealed for an earlier incarnation of the receiver; detected before decryption',
  'too-many-incarnations': 'the sender has restarted more often than the channel tracks (16 incarnations per session)',
  forged: 'the authentication tag does not match the named sender, the receiver, the round and the counter',
  replayed: 'the counter was already used, or is too old; detected before decryption',
  // Faults of the pieces of a message.
  'unknown-framing': "the payload's marker is neither 0 (whole message) nor 1 (piece)",
  'malformed-piece': 'the piece is empty, is the only piece, or has an index beyond the number of pieces',
  'oversized-message': 'the combined pieces exceed the maximum message size of the group',
  'duplicate-piece': 'the piece is already stored, or its message is complete',
  'contradictory-piece':
    'the piece states a different number of pieces, or differs from the stored piece with the same index',
  'incomplete-message': 'the incomplete message was dropped in favour of newer messages',
  // Faults of a message, which the decoder and the node detect.
  truncated: 'the message is shorter than its fields require',
  'trailing-bytes': 'the message has extra bytes after its last field',
  'unknown-version': 'the message has an unknown format version',
  'unknown-flags': 'the message has undefined flags',
  'level-out-of-range': 'the message names a level that does not exist in the tree',
  'level-empty': 'the message names a level on which the receiver has no peers',
  'sender-out-of-range': 'the sender has no position in the tree',
  'sender-not-in-peer-set': 'the sender is not a peer of the receiver on this level',
  'empty-set': 'the aggregate has no signers',
  'bit-beyond-end':
    'the set has a bit beyond its last member, or a relayed signature names a signer beyond the registry',
  'unknown-set-form': 'the set has an unknown form',
  'wrong-period': 'the signature belongs to another period',
  'wrong-suite': 'the signature belongs to another cipher suite',
  'wrong-span': 'the aggregate does not cover exactly the peers of its level',
  'not-individual': "the contribution sent as the sender's individual contribution is not the sender's own signature",
  blacklisted: 'the sender has sent an invalid contribution before',
  // Faults of a Horn message.
  'not-elected': 'the author of the aggregate or collection was not elected to make it',
  'second-message':
    "the author's message was already received from the same node, or was verified with different content",
  // Faults detected by the room server.
  'malformed-request': 'the HTTP request has a malformed target or several hosts',
  'unknown-host': 'the request names a host that is not this server',
  'foreign-origin': 'the request comes from a page of another origin',
  'unsupported-body': 'the body of the HTTP request has an unsupported type or encoding',
  'too-many-connections': 'the server has reached its maximum number of connections, in total or from this address',
  malformed: 'the request does not follow the protocol',
  'not-joined': 'the connection sent a request before joining',
  'already-joined': 'the connection has already joined a room, or is waiting to join one',
  'not-your-name': 'the join request does not prove knowledge of the secret key for its name',
  'too-many-rooms': 'the server has reached its maximum number of rooms',
  'too-many-rooms-of-address': 'the address has reached its maximum number of rooms',
  'too-many-members-of-address': 'the address has reached its maximum number of members',
  'too-many-in-room-of-address': 'the address has reached its maximum number of members in this room',
  'room-full': 'the room has reached its maximum number of members',
  'not-invited':
    'the join request has no invitation although the room requires one, or its invitation is for another room',
  'invitation-taken': 'the member with this invitation is already in the room',
  'name-taken': 'a member with this name is already in the room',
  'unknown-member': 'the sender or the addressee is not in the room',
  'too-fast': 'the connection exceeds its rate limit',
  // Faults detected by members of a room.
  'malformed-heartbeat': "a member's heartbeat cannot be decoded",
  'malformed-card': "a member's identity card cannot be decoded",
  'malformed-message': "the leader's message cannot be decoded",
  'malformed-signal': 'a connection offer or answer cannot be decoded',
  'forged-card': 'the identity card fails verification, or belongs to another member',
  'not-leader': 'a member that is not the leader has sent a message reserved for the leader',
  'not-sealed': 'the signal is not sealed',
  'old-round': 'the start message is for a round that already began',
  'round-too-far': "the start message's round is too far ahead of the latest round",
  'unknown-member-in-round': 'the start message names a member that is not in the room',
  'too-many-offers': 'the member has sent more connection offers than the limit',
  'unexpected-answer': 'the answer does not match any offer',
  'unknown-purpose': 'the sealed signal has an unknown purpose',
};

/** Number of occurrences of each event, by the event's stable code. */
export class Counts<Code extends string = string> {
  readonly #counts = new Map<string, number>();

  add(code: Code, times = 1): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + times);
  }

  /** Adds the counts from another part of the program or from another process. */
  addAll(counts: Readonly<Record<string, number>>): void {
    requireObject('counts', counts);
    for (const [code, times] of Object.entries(counts)) this.add(code as Code, times);
  }

  /** Returns the counts by code in alphabetical order, so that equal counts are printed in the same way. */
  toRecord(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
