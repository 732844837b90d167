import { readUint, writeUint } from '@tutti/core/input';
import type { CryptoSuite } from '@tutti/transports';

/**
 * A counter that the members of a group share. Members derive the order of waiting messages from this counter, so they
 * start the same messages. A member increments the counter with its own timer. A member also adopts a larger value that
 * enough other members have reached. The weight of these members must exceed the weight that may be faulty, so at least
 * one of them is honest.
 */
export class Turns {
  readonly #weightOf: (index: number) => bigint;
  readonly #faulty: bigint;
  readonly #heard = new Map<number, number>();
  #now = 0;

  /** @param faulty maximum weight of faulty members at which the other members are still a quorum. */
  constructor(weightOf: (index: number) => bigint, faulty: bigint) {
    this.#weightOf = weightOf;
    this.#faulty = faulty;
  }

  get now(): number {
    return this.#now;
  }

  next(): void {
    this.#now++;
  }

  /** Handles the turn that a member claims to have reached. @returns whether this member's turn changed. */
  hear(from: number, turn: number): boolean {
    if (turn <= (this.#heard.get(from) ?? 0)) return false;
    this.#heard.set(from, turn);
    if (turn <= this.#now) return false;
    const reached = [...this.#heard].filter(([, one]) => one > this.#now).sort(([, a], [, b]) => b - a);
    let weight = 0n;
    for (const [index, one] of reached) {
      weight += this.#weightOf(index);
      if (weight <= this.#faulty) continue;
      this.#now = one;
      return true;
    }
    return false;
  }
}

/** A message to be put in signing order. */
export interface Ordered {
  /** Name of the message's round, from `roundName`. */
  readonly name: string;
  /** Registry indices of the members that requested the message. */
  readonly origins: Iterable<number>;
  /** Number derived from the hash for the most recent turn, with that turn; undefined before the first use. */
  drawn: { readonly turn: number; readonly number: number } | undefined;
}

const encoder = new TextEncoder();
const domain = encoder.encode('tutti turn v1');
/** Number of bytes of a hash that are compared. */
const drawnBytes = 6;

/**
 * Returns the order in which messages are started: first one message of each origin, then a second one of each, and so
 * on. The order of messages of one origin, and of messages with the same rank, follows from a hash of the turn and the
 * message. All members that know the same messages and the same turn compute the same order. No member can choose a
 * message that comes early in every turn. Many messages of one origin delay only each other.
 */
export function inSigningOrder<T extends Ordered>(messages: Iterable<T>, turn: number, crypto: CryptoSuite): T[] {
  const drawn = [...messages].sort((a, b) => numberOf(a, turn, crypto) - numberOf(b, turn, crypto));
  const before = new Map<number, number>();
  const ranks = new Map<T, number>();
  for (const message of drawn) {
    let rank = Number.POSITIVE_INFINITY;
    for (const origin of message.origins) {
      const place = before.get(origin) ?? 0;
      before.set(origin, place + 1);
      rank = Math.min(rank, place);
    }
    ranks.set(message, rank);
  }
  // The sort is stable, so messages of equal ranks keep their order.
  return drawn.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
}

function numberOf(message: Ordered, turn: number, crypto: CryptoSuite): number {
  if (message.drawn?.turn !== turn) {
    const encoded = new Uint8Array(4);
    writeUint(encoded, 0, encoded.length, turn);
    const hash = crypto.sha256([domain, encoded, encoder.encode(message.name)]);
    message.drawn = { turn, number: readUint(hash, 0, drawnBytes) };
  }
  return message.drawn.number;
}
