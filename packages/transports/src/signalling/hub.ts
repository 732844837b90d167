import { Counts } from '../counts.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import type { Refusal } from '../refusals.ts';
import { TokenBucket } from '../tokenBucket.ts';
import { NameCheck } from './joinProof.ts';
import {
  decodeRequest,
  mostMembers,
  refusal,
  type SignallingNotice,
  type SignallingRefusal,
  type SignallingRequest,
} from './messages.ts';

export interface HubLimits {
  /** In rooms or not yet, of all addresses and of one. */
  readonly connections: number;
  readonly connectionsPerAddress: number;
  readonly rooms: number;
  /** That connections of one address opened and that still are. */
  readonly roomsPerAddress: number;
  /** In all rooms together. */
  readonly membersPerAddress: number;
  /** In one room, at most `mostMembers`. */
  readonly members: number;
  /** What one connection may send: messages and characters, this many a second, ten times as many at once. */
  readonly messagesPerSecond: number;
  readonly charactersPerSecond: number;
  /**
   * Into one room, this many a second, and at once as many as it holds or 16: each makes all others check a card. One
   * address has half as many. Who comes faster waits in line, each address in a line of its own.
   */
  readonly joinsPerSecond: number;
  /** A connection that was refused so often is closed. */
  readonly refusals: number;
  /** A connection that was not heard for so long is asked, and closed when it does not answer for as long again. */
  readonly quietMs: number;
  /** A connection that has joined no room after so long is closed. */
  readonly joinMs: number;
  /**
   * A room in which nobody has said anything for this long ends, with its connections. Its members send a beat every
   * few seconds.
   */
  readonly idleRoomMs: number;
}

/**
 * For a school's worth of rooms on a small machine, and for a school behind one address: an address can fill two rooms.
 * A member that sends signals to a hundred others within a second, and announces four times a second, stays within its
 * rate.
 */
export const defaultHubLimits: HubLimits = {
  connections: 2048,
  connectionsPerAddress: 320,
  rooms: 256,
  roomsPerAddress: 16,
  members: 128,
  membersPerAddress: 256,
  messagesPerSecond: 60,
  charactersPerSecond: 64 * 1024,
  joinsPerSecond: 4,
  refusals: 100,
  quietMs: 15_000,
  joinMs: 30_000,
  idleRoomMs: 600_000,
};

/** Where the hub speaks; connections are numbers that whoever owns the sockets chose. */
export interface HubPort {
  send(connection: number, text: string): void;
  /** Asks for a sign of life, to be told with `heard`. */
  ping(connection: number): void;
  close(connection: number, reason: string): void;
}

/** What connections of one address have together. */
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
  /** Of the challenge that it was sent. */
  readonly nonce: string;
  readonly messages: TokenBucket;
  readonly characters: TokenBucket;
  heardMs: number;
  asked: boolean;
  refusals: number;
  joined: { readonly room: Room; readonly member: string } | undefined;
  waiting: { readonly room: Room; readonly request: JoinRequest } | undefined;
}

type JoinRequest = Extract<SignallingRequest, { type: 'join' }>;

/** Those of one address that wish to join a room. */
interface Line {
  readonly joins: TokenBucket;
  /** First come first. */
  readonly waiting: Set<Connection>;
}

/** Of a room's joins, what one address may have: the others' share is never less than as much again. */
const addressShare = 1 / 2;
/** At once, into a small room too: a household's devices come together. */
const fewestAtOnce = 16;

interface Room {
  readonly name: string;
  /** Whose connection opened it. */
  readonly address: Address;
  /** When somebody last said something in it. */
  saidMs: number;
  readonly joins: TokenBucket;
  /** By address, the one whose turn is next first; an address without one has all that it may have. */
  readonly lines: Map<string, Line>;
  /** By member, the longest there first. */
  readonly members: Map<string, { readonly connection: Connection; readonly card: string }>;
}

/**
 * The signalling server without its sockets: rooms by name, and texts carried between the members of one. It owns no
 * clock and no socket; it is told what came and when, and tells its port what to send.
 *
 * It learns who is in which room, who signals to whom, how much and when; not what is sealed in the signals. Nobody
 * needs to trust it: see `SealedSignals`.
 */
export class SignallingHub {
  readonly #limits: HubLimits;
  readonly #port: HubPort;
  readonly #names: NameCheck;
  readonly #connections = new Map<number, Connection>();
  readonly #rooms = new Map<string, Room>();
  readonly #addresses = new Map<string, Address>();
  readonly #refused = new Counts<Refusal>();

  constructor(crypto: CryptoSuite, port: HubPort, limits: Partial<HubLimits> = {}) {
    this.#limits = { ...defaultHubLimits, ...limits };
    if (this.#limits.members > mostMembers)
      throw new RangeError(`members: expected at most ${mostMembers}, got ${this.#limits.members}`);
    this.#port = port;
    this.#names = new NameCheck(crypto);
  }

  /** What there is at the moment, and what was refused so far, by code. */
  get counts(): { connections: number; rooms: number; refused: Readonly<Record<string, number>> } {
    return { connections: this.#connections.size, rooms: this.#rooms.size, refused: this.#refused.toRecord() };
  }

  /** Counts a connection that never came to be, for a reason that its owner knows. */
  turnedAway(code: Refusal): void {
    this.#refused.add(code);
  }

  /** Whether there is room for one more connection of an address. */
  admits(address: string): boolean {
    const { connections, connectionsPerAddress } = this.#limits;
    const has = this.#addresses.get(address)?.connections ?? 0;
    return this.#connections.size < connections && has < connectionsPerAddress;
  }

  /** @param address whose the connection is: what has limits of its own. */
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
      asked: false,
      refusals: 0,
      joined: undefined,
      waiting: undefined,
    };
    this.#connections.set(id, connection);
    this.#send(connection, { type: 'challenge', ...challenge });
  }

  /** The connection is alive, whatever it said. */
  heard(id: number, nowMs: number): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    connection.heardMs = nowMs;
    connection.asked = false;
  }

  /** A message came, which may be anything; undefined for one that was not text. */
  message(id: number, text: string | undefined, nowMs: number): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
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

  /** The connection is gone; harmless for one that was never there. */
  closed(id: number): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    const { address } = connection;
    this.#connections.delete(id);
    address.connections--;
    if (connection.joined !== undefined) this.#leave(connection);
    if (connection.waiting !== undefined) {
      const { room } = connection.waiting;
      room.lines.get(address.name)!.waiting.delete(connection);
      this.#endIfEmpty(room);
    }
    this.#forgetUnused(address);
  }

  #leave(connection: Connection): void {
    if (connection.joined === undefined) return;
    const { room, member } = connection.joined;
    this.#tellOthers(connection, { type: 'went', member });
    room.members.delete(member);
    connection.address.members--;
    this.#endIfEmpty(room);
  }

  #endIfEmpty(room: Room): void {
    if (room.members.size > 0) return;
    for (const { waiting } of room.lines.values()) if (waiting.size > 0) return;
    this.#rooms.delete(room.name);
    room.address.rooms--;
    this.#forgetUnused(room.address);
  }

  /** Asks the quiet, closes the dead, and ends what is idle; to be called a few times in `quietMs`. */
  tick(nowMs: number): void {
    for (const connection of [...this.#connections.values()]) {
      const quietMs = nowMs - connection.heardMs;
      const { joined, waiting, openedMs } = connection;
      if (joined === undefined && waiting === undefined && nowMs - openedMs >= this.#limits.joinMs)
        this.#drop(connection, 'no join');
      else if (quietMs >= 2 * this.#limits.quietMs && connection.asked) this.#drop(connection, 'no answer');
      else if (quietMs >= this.#limits.quietMs && !connection.asked) {
        connection.asked = true;
        this.#port.ping(connection.id);
      }
    }
    for (const room of [...this.#rooms.values()]) {
      this.#admitFrom(room, nowMs);
      for (const [address, { joins, waiting }] of room.lines)
        if (waiting.size === 0 && joins.isFull(nowMs)) room.lines.delete(address);
      if (nowMs - room.saidMs < this.#limits.idleRoomMs) continue;
      for (const { connection } of [...room.members.values()]) this.#drop(connection, 'room idle');
    }
  }

  #join(connection: Connection, request: JoinRequest, nowMs: number): void {
    const { joinsPerSecond, members: most, rooms, roomsPerAddress } = this.#limits;
    const { address } = connection;
    const { room: name } = request;
    const known = this.#rooms.get(name);
    if (connection.joined !== undefined || connection.waiting !== undefined) this.#refuse(connection, 'already-joined');
    else if (known === undefined && this.#rooms.size >= rooms) this.#refuse(connection, 'too-many-rooms');
    else if (known === undefined && address.rooms >= roomsPerAddress)
      this.#refuse(connection, 'too-many-rooms-of-address');
    else {
      const joins = (share: number) =>
        new TokenBucket(share * joinsPerSecond, Math.max(fewestAtOnce, share * most), nowMs);
      const room = known ?? { name, address, saidMs: nowMs, joins: joins(1), lines: new Map(), members: new Map() };
      if (known === undefined) {
        this.#rooms.set(name, room);
        address.rooms++;
      }
      const line = room.lines.get(address.name) ?? { joins: joins(addressShare), waiting: new Set() };
      room.lines.set(address.name, line);
      line.waiting.add(connection);
      connection.waiting = { room, request };
      this.#admitFrom(room, nowMs);
    }
  }

  /** Lets in who waits and may come in now, one of each address in turn. */
  #admitFrom(room: Room, nowMs: number): void {
    let admitted = true;
    while (admitted) {
      admitted = false;
      for (const [address, line] of [...room.lines]) {
        const [first] = line.waiting;
        if (first === undefined || !line.joins.has(1, nowMs) || !room.joins.has(1, nowMs)) continue;
        admitted = true;
        // Behind the others, for the next time too.
        room.lines.delete(address);
        room.lines.set(address, line);
        line.waiting.delete(first);
        const { request } = first.waiting!;
        first.waiting = undefined;
        const code = this.#joinRefusal(room, first, request);
        if (code === undefined) {
          line.joins.spend(1, nowMs);
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
    const { members: most, membersPerAddress } = this.#limits;
    const { member, proof } = request;
    if (address.members >= membersPerAddress) return 'too-many-members-of-address';
    if (!this.#names.holds(nonce, room.name, member, proof)) return 'not-your-name';
    if (room.members.has(member)) return 'name-taken';
    return room.members.size >= most ? 'room-full' : undefined;
  }

  #enter(room: Room, connection: Connection, { member, card }: JoinRequest, nowMs: number): void {
    connection.address.members++;
    room.saidMs = nowMs;
    const members = [...room.members].map(([other, { card }]) => ({ member: other, card }));
    room.members.set(member, { connection, card });
    connection.joined = { room, member };
    this.#send(connection, { type: 'joined', members });
    this.#tellOthers(connection, { type: 'came', member, card });
  }

  #carry(connection: Connection, { to, text }: Extract<SignallingRequest, { type: 'signal' }>, nowMs: number): void {
    const { room, member } = connection.joined!;
    room.saidMs = nowMs;
    const receiver = room.members.get(to);
    if (receiver === undefined) this.#refuse(connection, 'unknown-member');
    else this.#send(receiver.connection, { type: 'signal', from: member, text });
  }

  #announce(connection: Connection, text: string, nowMs: number): void {
    const { room, member } = connection.joined!;
    room.saidMs = nowMs;
    this.#tellOthers(connection, { type: 'announcement', from: member, text });
  }

  #tellOthers(connection: Connection, notice: SignallingNotice): void {
    const { room, member } = connection.joined!;
    for (const [other, { connection }] of room.members) if (other !== member) this.#send(connection, notice);
  }

  #refuse(connection: Connection, code: SignallingRefusal): void {
    this.#refused.add(code);
    connection.refusals++;
    if (connection.refusals > this.#limits.refusals) this.#drop(connection, 'refused too often');
    else this.#send(connection, refusal(code));
  }

  #drop(connection: Connection, reason: string): void {
    this.closed(connection.id);
    this.#port.close(connection.id, reason);
  }

  #forgetUnused({ name, connections, rooms }: Address): void {
    if (connections === 0 && rooms === 0) this.#addresses.delete(name);
  }

  #send({ id }: Connection, notice: SignallingNotice): void {
    this.#port.send(id, JSON.stringify(notice));
  }
}
