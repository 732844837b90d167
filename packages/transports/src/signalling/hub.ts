import { Allowance } from '../allowance.ts';
import { Counts } from '../counts.ts';
import {
  decodeRequest,
  MOST_MEMBERS,
  refusal,
  type SignallingNotice,
  type SignallingRefusal,
  type SignallingRequest,
} from './messages.ts';

export interface HubLimits {
  readonly rooms: number;
  /** In one room, at most {@link MOST_MEMBERS}. */
  readonly members: number;
  /** What one connection may send: messages and characters, so many a second, ten times as many at once. */
  readonly messagesPerSecond: number;
  readonly charactersPerSecond: number;
  /** Into one room, so many a second, and at once as many as it holds: each makes all others check a card. */
  readonly joinsPerSecond: number;
  /** A connection that was refused so often is closed. */
  readonly refusals: number;
  /** A connection that was not heard for so long is asked, and closed when it does not answer for as long again. */
  readonly quietMs: number;
}

/**
 * For a school's worth of rooms on a small machine. A member that sends signals to a hundred others within a second, and
 * announces four times a second, stays within its rate.
 */
export const defaultHubLimits: HubLimits = {
  rooms: 256,
  members: 128,
  messagesPerSecond: 60,
  charactersPerSecond: 64 * 1024,
  joinsPerSecond: 4,
  refusals: 100,
  quietMs: 15_000,
};

/** Where the hub speaks; connections are numbers that whoever owns the sockets chose. */
export interface HubPort {
  send(connection: number, text: string): void;
  /** Asks for a sign of life, to be told with `heard`. */
  ping(connection: number): void;
  close(connection: number, reason: string): void;
}

interface Connection {
  readonly id: number;
  readonly messages: Allowance;
  readonly characters: Allowance;
  heardMs: number;
  asked: boolean;
  refusals: number;
  joined: { readonly room: Room; readonly member: string } | undefined;
}

interface Room {
  readonly name: string;
  readonly joins: Allowance;
  /** By member, the longest there first. */
  readonly members: Map<string, { readonly connection: Connection; readonly card: string }>;
}

/**
 * The signalling server without its sockets: rooms by name, and texts carried between the members of one. It owns no clock
 * and no socket; it is told what came and when, and tells its port what to send.
 *
 * It learns who is in which room, who signals to whom, how much and when; not what is sealed in the signals. Nobody needs to
 * trust it: see `SealedSignals`.
 */
export class SignallingHub {
  readonly #limits: HubLimits;
  readonly #port: HubPort;
  readonly #connections = new Map<number, Connection>();
  readonly #rooms = new Map<string, Room>();
  readonly #refused = new Counts();

  constructor(port: HubPort, limits: Partial<HubLimits> = {}) {
    this.#limits = { ...defaultHubLimits, ...limits };
    if (this.#limits.members > MOST_MEMBERS)
      throw new RangeError(`members: expected at most ${MOST_MEMBERS}, got ${this.#limits.members}`);
    this.#port = port;
  }

  /** What there is at the moment, and what was refused so far, by code. */
  get counts(): { connections: number; rooms: number; refused: Readonly<Record<string, number>> } {
    return { connections: this.#connections.size, rooms: this.#rooms.size, refused: this.#refused.toRecord() };
  }

  opened(id: number, nowMs: number): void {
    const { messagesPerSecond, charactersPerSecond } = this.#limits;
    this.#connections.set(id, {
      id,
      messages: new Allowance(messagesPerSecond, 10 * messagesPerSecond, nowMs),
      characters: new Allowance(charactersPerSecond, 10 * charactersPerSecond, nowMs),
      heardMs: nowMs,
      asked: false,
      refusals: 0,
      joined: undefined,
    });
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
    else if (request.type === 'signal') this.#carry(connection, request);
    else this.#tellOthers(connection, { type: 'announcement', from: connection.joined.member, text: request.text });
  }

  /** The connection is gone; harmless for one that was never there. */
  closed(id: number): void {
    const connection = this.#connections.get(id);
    if (connection === undefined) return;
    this.#connections.delete(id);
    if (connection.joined === undefined) return;
    const { room, member } = connection.joined;
    this.#tellOthers(connection, { type: 'went', member });
    room.members.delete(member);
    if (room.members.size === 0) this.#rooms.delete(room.name);
  }

  /** Asks the quiet and closes the dead; to be called a few times in `quietMs`. */
  tick(nowMs: number): void {
    for (const connection of [...this.#connections.values()]) {
      const quietMs = nowMs - connection.heardMs;
      if (quietMs >= 2 * this.#limits.quietMs && connection.asked) this.#drop(connection, 'no answer');
      else if (quietMs >= this.#limits.quietMs && !connection.asked) {
        connection.asked = true;
        this.#port.ping(connection.id);
      }
    }
  }

  #join(
    connection: Connection,
    { room: name, member, card }: Extract<SignallingRequest, { type: 'join' }>,
    nowMs: number,
  ): void {
    if (connection.joined !== undefined) {
      this.#refuse(connection, 'already-joined');
      return;
    }
    const known = this.#rooms.get(name);
    if (known === undefined && this.#rooms.size >= this.#limits.rooms) {
      this.#refuse(connection, 'too-many-rooms');
      return;
    }
    const { joinsPerSecond, members: most } = this.#limits;
    const room = known ?? { name, joins: new Allowance(joinsPerSecond, most, nowMs), members: new Map() };
    if (room.members.has(member)) this.#refuse(connection, 'name-taken');
    else if (room.members.size >= most) this.#refuse(connection, 'room-full');
    else if (!room.joins.spend(1, nowMs)) this.#refuse(connection, 'too-fast');
    else {
      this.#rooms.set(name, room);
      const members = [...room.members].map(([other, { card }]) => ({ member: other, card }));
      room.members.set(member, { connection, card });
      connection.joined = { room, member };
      this.#send(connection, { type: 'joined', members });
      this.#tellOthers(connection, { type: 'came', member, card });
    }
  }

  #carry(connection: Connection, { to, text }: Extract<SignallingRequest, { type: 'signal' }>): void {
    const { room, member } = connection.joined!;
    const receiver = room.members.get(to);
    if (receiver === undefined) this.#refuse(connection, 'unknown-member');
    else this.#send(receiver.connection, { type: 'signal', from: member, text });
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

  #send({ id }: Connection, notice: SignallingNotice): void {
    this.#port.send(id, JSON.stringify(notice));
  }
}
