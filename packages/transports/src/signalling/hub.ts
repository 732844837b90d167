import type { CryptoSuite } from '../crypto/suite.ts';
import { Counts, type Refusal } from '../refusals.ts';
import { TokenBucket } from '../transport/pacing.ts';
import { filledIn } from '../transport/transport.ts';
import { type HubLimits, hubSettings, invitedRooms, placesOfAddress } from './hubLimits.ts';
import { NameCheck } from './joinProof.ts';
import {
  decodeRequest,
  refusal,
  type SignallingNotice,
  type SignallingRefusal,
  type SignallingRequest,
} from './messages.ts';

/** Output interface of the hub. The owner of the sockets chooses the numbers that identify connections. */
interface HubPort {
  send(connection: number, text: string): void;
  /** Requests a sign of life from a connection, which the caller reports with `heard`. */
  ping(connection: number): void;
  /** Closes a connection. The caller reports the end with `closed`. */
  close(connection: number, reason: string): void;
}

/** State common to all connections of one address. */
interface Address {
  readonly name: string;
  connections: number;
  members: number;
  rooms: number;
}

interface Connection {
  readonly id: number;
  readonly address: Address;
  readonly openedMs: number;
  /** Nonce of the challenge sent to the connection. */
  readonly nonce: string;
  readonly messages: TokenBucket;
  readonly characters: TokenBucket;
  heardMs: number;
  /** Whether a ping waits for an answer. */
  pinged: boolean;
  refusals: number;
  joined: { readonly room: Room; readonly member: string } | undefined;
  waiting: { readonly room: Room; readonly request: JoinRequest; readonly queue: JoinQueue } | undefined;
  /** Whether the hub has requested to close the connection. Until it is closed, it counts towards the limits. */
  isDropped: boolean;
}

type JoinRequest = Extract<SignallingRequest, { type: 'join' }>;

/** Queue of the connections of one address, or with one invitation, that wait to join a room. */
interface JoinQueue {
  readonly joins: TokenBucket;
  /** Waiting connections, first come, first served. */
  readonly waiting: Set<Connection>;
}

/**
 * Maximum share of a room's joins for one address, so that the other addresses together have at least the same share.
 */
const addressShare = 1 / 2;
/** Minimum burst of joins, even for a small room, because all devices of a household may join at once. */
const minJoinBurst = 16;
/** Limit of joins per invitation. A page joins again when it is reopened or when its network changes. */
const invitationJoins = { perSecond: 0.1, burst: 4 } as const;

interface Room {
  readonly name: string;
  /** Invitations to the room, one per member; undefined for an open room. */
  readonly invitations: ReadonlySet<string> | undefined;
  /** Address of the connection that opened the room. */
  readonly address: Address;
  /** Time of the last join, signal or announcement in the room, ms. */
  activeMs: number;
  readonly joins: TokenBucket;
  /**
   * Queues by address or invitation, in service order. An address or invitation without a queue has its full burst
   * available.
   */
  readonly queues: Map<string, JoinQueue>;
  /** Members, in order of arrival. */
  readonly members: Map<string, Present>;
}

interface Present {
  readonly connection: Connection;
  readonly card: string;
  readonly invitation: string | undefined;
}

/**
 * The signalling server without sockets: it keeps rooms by name and forwards texts between a room's members. The hub
 * owns no clock and no socket: it receives events and times as arguments, and sends through its port.
 *
 * The hub learns the members of each room, and the senders, receivers, number and times of signals, but not the sealed
 * content. Members need not trust the hub; see `SealedSignals`.
 */
export class SignallingHub {
  readonly #limits: HubLimits;
  readonly #port: HubPort;
  readonly #names: NameCheck;
  readonly #invited: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #connections = new Map<number, Connection>();
  readonly #rooms = new Map<string, Room>();
  readonly #addresses = new Map<string, Address>();
  readonly #refused = new Counts<Refusal>();

  /**
   * @param invitations invitations by room name, for the rooms that require an invitation. A room by invitation has one
   * place per invitation, which no other member can occupy. Limits on rooms and members do not apply to rooms by
   * invitation.
   * @throws RangeError for invalid limits or invitations; TypeError for invitations that are not an array;
   * EnvironmentError `room-name` for invitations to an invalid name.
   */
  constructor(
    crypto: CryptoSuite,
    port: HubPort,
    limits: Partial<HubLimits> = {},
    invitations: Readonly<Record<string, readonly string[]>> = {},
  ) {
    this.#limits = filledIn(limits, hubSettings);
    this.#invited = invitedRooms(invitations);
    this.#port = port;
    this.#names = new NameCheck(crypto);
  }

  /** Current counts of the hub, with the number of rejections so far by code. */
  get counts(): { connections: number; rooms: number; refused: Readonly<Record<string, number>> } {
    return { connections: this.#connections.size, rooms: this.#rooms.size, refused: this.#refused.toRecord() };
  }

  /** Counts a connection that the sockets' owner rejected. */
  countRefusal(code: Refusal): void {
    this.#refused.add(code);
  }

  /** Returns whether an address may open one more connection. */
  admits(address: string): boolean {
    const { connections, connectionsPerAddress } = this.#limits;
    const has = this.#addresses.get(address)?.connections ?? 0;
    return this.#connections.size < connections && has < connectionsPerAddress;
  }

  /** Handles a new connection. @param address source address of the connection; limits apply per address. */
  opened(id: number, address: string, nowMs: number): void {
    const { messagesPerSecond, charactersPerSecond } = this.#limits;
    const known = this.#addresses.get(address) ?? { name: address, connections: 0, members: 0, rooms: 0 };
    known.connections++;
    this.#addresses.set(address, known);
    const challenge = this.#names.challenge();
    const connection: Connection = {
      id,
      address: known,
      openedMs: nowMs,
      nonce: challenge.nonce,
      messages: new TokenBucket(messagesPerSecond, 10 * messagesPerSecond, nowMs),
      characters: new TokenBucket(charactersPerSecond, 10 * charactersPerSecond, nowMs),
      heardMs: nowMs,
      pinged: false,
      refusals: 0,
      joined: undefined,
      waiting: undefined,
      isDropped: false,
    };
    this.#connections.set(id, connection);
    this.#send(connection, { type: 'challenge', ...challenge });
  }

  /** Records a sign of life from a connection. */
  heard(id: number, nowMs: number): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    connection.heardMs = nowMs;
    connection.pinged = false;
  }

  /** Handles a message, which is untrusted text; undefined for a message that was not text. */
  message(id: number, text: string | undefined, nowMs: number): void {
    const connection = this.#connections.get(id);
    if (connection === undefined || connection.isDropped) return;
    this.heard(id, nowMs);
    const affordable = connection.messages.spend(1, nowMs) && connection.characters.spend(text?.length ?? 0, nowMs);
    if (!affordable) {
      this.#refuse(connection, 'too-fast');
      return;
    }
    const request = text === undefined ? undefined : decodeRequest(text);
    if (request === undefined) this.#refuse(connection, 'malformed');
    else if (request.type === 'join') this.#join(connection, request, nowMs);
    else if (connection.joined === undefined) this.#refuse(connection, 'not-joined');
    else if (request.type === 'signal') this.#carry(connection, request, nowMs);
    else this.#announce(connection, request.text, nowMs);
  }

  /** Handles the end of a connection. The call has no effect for an unknown connection. */
  closed(id: number): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    const { address } = connection;
    this.#leave(connection);
    this.#connections.delete(id);
    address.connections--;
    this.#forgetUnused(address);
  }

  /** Removes a connection from its room, or from the queue in which it waits. */
  #leave(connection: Connection): void {
    const { joined, waiting, address } = connection;
    if (joined !== undefined) {
      this.#notifyOthers(connection, { type: 'went', member: joined.member });
      joined.room.members.delete(joined.member);
      if (joined.room.invitations === undefined) address.members--;
    }
    waiting?.queue.waiting.delete(connection);
    connection.joined = undefined;
    connection.waiting = undefined;
    const room = joined?.room ?? waiting?.room;
    if (room !== undefined) this.#endIfEmpty(room);
  }

  #endIfEmpty(room: Room): void {
    if (room.members.size > 0) return;
    for (const { waiting } of room.queues.values()) if (waiting.size > 0) return;
    this.#rooms.delete(room.name);
    // A room by invitation does not count towards its address, which may have been forgotten since.
    if (room.invitations !== undefined) return;
    room.address.rooms--;
    this.#forgetUnused(room.address);
  }

  /**
   * Pings silent connections, and closes dead and idle ones. Callers should call this function a few times per
   * `quietMs`.
   */
  tick(nowMs: number): void {
    for (const connection of this.#connections.values()) {
      if (connection.isDropped) continue;
      const quietMs = nowMs - connection.heardMs;
      const { joined, waiting, openedMs } = connection;
      if (joined === undefined && waiting === undefined && nowMs - openedMs >= this.#limits.joinMs)
        this.#drop(connection, 'no join');
      else if (quietMs >= 2 * this.#limits.quietMs && connection.pinged) this.#drop(connection, 'no answer');
      else if (quietMs >= this.#limits.quietMs && !connection.pinged) {
        connection.pinged = true;
        this.#port.ping(connection.id);
      }
    }
    for (const room of [...this.#rooms.values()]) {
      this.#admitFrom(room, nowMs);
      for (const [key, { joins, waiting }] of room.queues)
        if (waiting.size === 0 && joins.isFull(nowMs)) room.queues.delete(key);
      if (nowMs - room.activeMs < this.#limits.idleRoomMs) continue;
      for (const { connection } of [...room.members.values()]) this.#drop(connection, 'room idle');
    }
  }

  #join(connection: Connection, request: JoinRequest, nowMs: number): void {
    const code = this.#waitRefusal(connection, request);
    if (code !== undefined) {
      this.#refuse(connection, code);
      return;
    }
    const room = this.#rooms.get(request.room) ?? this.#openRoom(request.room, connection.address, nowMs);
    const key = room.invitations === undefined ? connection.address.name : request.invitation!;
    const queue = room.queues.get(key) ?? { joins: this.#joinsOfQueue(room, nowMs), waiting: new Set() };
    room.queues.set(key, queue);
    queue.waiting.add(connection);
    connection.waiting = { room, request, queue };
    this.#admitFrom(room, nowMs);
  }

  /** Returns the reason why a connection may not wait to join a room, or undefined if it may. */
  #waitRefusal(connection: Connection, { room, invitation }: JoinRequest): SignallingRefusal | undefined {
    if (connection.joined !== undefined || connection.waiting !== undefined) return 'already-joined';
    const invitations = this.#invited.get(room);
    if (invitation !== undefined && !invitations?.has(invitation)) return 'not-invited';
    if (invitations !== undefined) return invitation === undefined ? 'not-invited' : undefined;
    if (this.#rooms.has(room)) return undefined;
    const { rooms, roomsPerAddress } = this.#limits;
    // The limit does not count rooms by invitation, so that many open rooms cannot exclude an invited member.
    const open = [...this.#rooms.values()].filter(({ invitations }) => invitations === undefined);
    if (open.length >= rooms) return 'too-many-rooms';
    return connection.address.rooms >= roomsPerAddress ? 'too-many-rooms-of-address' : undefined;
  }

  #openRoom(name: string, address: Address, nowMs: number): Room {
    const invitations = this.#invited.get(name);
    if (invitations === undefined) address.rooms++;
    const joins = this.#joins(1, nowMs);
    const room = { name, invitations, address, activeMs: nowMs, joins, queues: new Map(), members: new Map() };
    this.#rooms.set(name, room);
    return room;
  }

  #joinsOfQueue({ invitations }: Room, nowMs: number): TokenBucket {
    if (invitations === undefined) return this.#joins(addressShare, nowMs);
    return new TokenBucket(invitationJoins.perSecond, invitationJoins.burst, nowMs);
  }

  #joins(share: number, nowMs: number): TokenBucket {
    const { joinsPerSecond, members } = this.#limits;
    return new TokenBucket(share * joinsPerSecond, Math.max(minJoinBurst, share * members), nowMs);
  }

  /** Admits waiting connections that may join now, taking one from each queue in turn. */
  #admitFrom(room: Room, nowMs: number): void {
    let admitted = true;
    while (admitted) {
      admitted = false;
      for (const [key, queue] of [...room.queues]) {
        const [first] = queue.waiting;
        if (first === undefined || !queue.joins.has(1, nowMs) || !room.joins.has(1, nowMs)) continue;
        admitted = true;
        // The queue moves to the end of the service order, also for the next call.
        room.queues.delete(key);
        room.queues.set(key, queue);
        queue.waiting.delete(first);
        const { request } = first.waiting!;
        first.waiting = undefined;
        const code = this.#joinRefusal(room, first, request);
        if (code === undefined) {
          queue.joins.spend(1, nowMs);
          room.joins.spend(1, nowMs);
          this.#enter(room, first, request, nowMs);
        } else {
          this.#endIfEmpty(room);
          this.#refuse(first, code);
        }
      }
    }
  }

  #joinRefusal(room: Room, { address, nonce }: Connection, request: JoinRequest): SignallingRefusal | undefined {
    const { members: places, membersPerAddress, shareOfRoomPerAddress } = this.#limits;
    const { member, proof, invitation } = request;
    const isOpen = room.invitations === undefined;
    if (isOpen && address.members >= membersPerAddress) return 'too-many-members-of-address';
    if (!this.#names.holds(nonce, room.name, member, proof)) return 'not-your-name';
    if (room.members.has(member)) return 'name-taken';
    const present = [...room.members.values()];
    if (!isOpen) return present.some((one) => one.invitation === invitation) ? 'invitation-taken' : undefined;
    if (room.members.size >= places) return 'room-full';
    const own = present.filter(({ connection }) => connection.address === address).length;
    const max = placesOfAddress(places, present.length - own, shareOfRoomPerAddress);
    return own >= max ? 'too-many-in-room-of-address' : undefined;
  }

  #enter(room: Room, connection: Connection, { member, card, invitation }: JoinRequest, nowMs: number): void {
    if (room.invitations === undefined) connection.address.members++;
    room.activeMs = nowMs;
    const members = [...room.members].map(([other, { card }]) => ({ member: other, card }));
    room.members.set(member, { connection, card, invitation });
    connection.joined = { room, member };
    this.#send(connection, { type: 'joined', members });
    this.#notifyOthers(connection, { type: 'came', member, card });
  }

  #carry(connection: Connection, { to, text }: Extract<SignallingRequest, { type: 'signal' }>, nowMs: number): void {
    const { room, member } = connection.joined!;
    room.activeMs = nowMs;
    const receiver = room.members.get(to);
    if (receiver === undefined) this.#refuse(connection, 'unknown-member');
    else this.#send(receiver.connection, { type: 'signal', from: member, text });
  }

  #announce(connection: Connection, text: string, nowMs: number): void {
    const { room, member } = connection.joined!;
    room.activeMs = nowMs;
    this.#notifyOthers(connection, { type: 'announcement', from: member, text });
  }

  #notifyOthers(connection: Connection, notice: SignallingNotice): void {
    const { room, member } = connection.joined!;
    for (const [other, receiver] of room.members) if (other !== member) this.#send(receiver.connection, notice);
  }

  #refuse(connection: Connection, code: SignallingRefusal): void {
    this.#refused.add(code);
    connection.refusals++;
    if (connection.refusals > this.#limits.refusals) this.#drop(connection, 'refused too often');
    else this.#send(connection, refusal(code));
  }

  #drop(connection: Connection, reason: string): void {
    connection.isDropped = true;
    this.#leave(connection);
    this.#port.close(connection.id, reason);
  }

  #forgetUnused({ name, connections, rooms }: Address): void {
    if (connections === 0 && rooms === 0) this.#addresses.delete(name);
  }

  #send({ id }: Connection, notice: SignallingNotice): void {
    this.#port.send(id, JSON.stringify(notice));
  }
}
