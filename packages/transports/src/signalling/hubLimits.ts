import { expected, factors, integers, type OwnRange, requireArray, type SettingsOf } from '@tutti/core/input';
import { waits } from '../transport/transport.ts';
import { isInvitation, maxMembers, requireRoomName } from './messages.ts';

/** Limits of a signalling hub. */
export interface HubLimits {
  /** Maximum number of connections of all addresses, whether in rooms or not. */
  readonly connections: number;
  /** Maximum number of connections per address. */
  readonly connectionsPerAddress: number;
  /** Maximum number of open rooms. */
  readonly rooms: number;
  /** Maximum number of simultaneously open rooms that were opened from one address. */
  readonly roomsPerAddress: number;
  /** Maximum number of members per address, in all open rooms together. */
  readonly membersPerAddress: number;
  /** Maximum number of members of an open room, at most `maxMembers`. */
  readonly members: number;
  /**
   * Largest share of an open room's free places that one address may take. Free places are those not taken by other
   * addresses. Range (0, 1].
   */
  readonly shareOfRoomPerAddress: number;
  /** Maximum number of messages per connection and second. The burst is ten times this number of messages. */
  readonly messagesPerSecond: number;
  /** Maximum number of characters per connection and second. The burst is ten times this number of characters. */
  readonly charactersPerSecond: number;
  /**
   * Maximum number of joins per room and second, because every join makes all other members check a card. The burst is
   * the size of the room, but at least 16 joins. One address is limited to half of that; one invitation is limited to
   * 0.1 joins per second and a burst of 4. Further joins wait in a queue per address or invitation.
   */
  readonly joinsPerSecond: number;
  /** Maximum number of rejections per connection. One more rejection closes the connection. */
  readonly refusals: number;
  /**
   * Time of silence after which the hub pings a connection, ms. A connection is closed when it has been silent for
   * twice this time.
   */
  readonly quietMs: number;
  /** Time after which the hub closes a connection that neither is in a room nor waits to join one, ms. */
  readonly joinMs: number;
  /**
   * Time of silence after which the hub closes a room and its connections, ms. Members send a heartbeat every few
   * seconds.
   */
  readonly idleRoomMs: number;
}

const counts = integers(1, 65_536);
const largeCounts = integers(1, 2 ** 20);

/** Range of rates per second. The maximum exceeds the rate of any client. */
const rates = factors(0.001, 2 ** 30);

const shareOfRoom: OwnRange<number> = {
  kind: 'own',
  validate(label, share) {
    if (!(Number.isFinite(share) && share > 0 && share <= 1))
      throw new RangeError(expected(label, 'a number greater than 0 and at most 1', share));
  },
};

/**
 * Settings of a signalling hub. The defaults suit a school with many rooms behind one address: the address can occupy
 * 96 of a room's 128 places. A member that sends signals to 100 other members within a second, and four announcements
 * per second, stays below its rate limit.
 */
export const hubSettings: SettingsOf<HubLimits> = {
  connections: { default: 2048, range: largeCounts, about: 'maximum number of connections' },
  connectionsPerAddress: { default: 320, range: counts, about: 'maximum number of connections per address' },
  rooms: { default: 256, range: counts, about: 'maximum number of open rooms' },
  roomsPerAddress: { default: 16, range: counts, about: 'maximum number of open rooms per address' },
  members: { default: maxMembers, range: integers(1, maxMembers), about: 'maximum number of members per room' },
  membersPerAddress: { default: 256, range: counts, about: 'maximum number of members per address, in all open rooms' },
  shareOfRoomPerAddress: {
    default: 3 / 4,
    range: shareOfRoom,
    about:
      "maximum share of an open room's free places for one address, where free places are those not taken by other addresses",
  },
  messagesPerSecond: { default: 60, range: rates, about: 'maximum number of messages per connection' },
  charactersPerSecond: { default: 64 * 1024, range: rates, about: 'maximum number of characters per connection' },
  joinsPerSecond: { default: 4, range: rates, about: 'maximum number of joins per room' },
  refusals: { default: 100, range: largeCounts, about: 'maximum number of rejections per connection' },
  quietMs: {
    default: 15_000,
    range: waits,
    about:
      'time of silence after which a connection is pinged; without an answer, it is closed after the same time again',
  },
  joinMs: {
    default: 30_000,
    range: waits,
    about: 'maximum time for which a connection may neither be in a room nor wait to join one',
  },
  idleRoomMs: { default: 600_000, range: waits, about: 'maximum idle time of a room' },
};

/**
 * Returns the number of a room's places that one address may occupy: a share of the places not occupied by other
 * addresses. No single address can therefore occupy all places, and each further address gets the same share of the
 * remaining places.
 *
 * @param places number of places of the room
 * @param others number of members of other addresses
 * @param share share in (0, 1]; with 1, nothing remains for other addresses
 * @returns number of places, at least 1
 */
export function placesOfAddress(places: number, others: number, share: number): number {
  return Math.max(1, Math.floor(share * (places - others)));
}

/**
 * Returns the rooms by invitation, each with its set of invitations.
 *
 * @throws RangeError for a room with more invitations than places, with no invitations, with an invalid invitation, or
 * with two equal ones; TypeError for invitations that are not an array; EnvironmentError `room-name`.
 */
export function invitedRooms(
  invitations: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Map<string, ReadonlySet<string>>();
  for (const [room, given] of Object.entries(invitations)) {
    requireRoomName(room);
    requireArray('invitations', given);
    const different = new Set(given);
    if (given.length < 1 || given.length > maxMembers || different.size < given.length)
      throw new RangeError(
        `invitations: expected 1 to ${maxMembers} different invitations per room, got ${given.length}`,
      );
    if (!given.every(isInvitation))
      throw new RangeError(
        'invitations: expected 22 letters, digits, hyphens or underscores in each, got another text',
      );
    rooms.set(room, different);
  }
  return rooms;
}
