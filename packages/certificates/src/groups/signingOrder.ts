import { readUint, writeUint } from '@tutti/core/input';
import type { CryptoSuite } from '@tutti/transports/parts';

/**
 * A number that the members of a group count up together. Members derive the order of waiting messages from it, so they
 * begin the same ones. A member counts up by its own timer. It also adopts a larger number that enough others have
 * reached: their weight must exceed the weight that may be faulty, so one of them at least is honest.
 */
export class Turns {
  readonly #weightOf: (index: number) => bigint;
  readonly #faulty: bigint;
  readonly #heard = new Map<number, number>();
  #now = 0;

  /** @param faulty largest weight that may be faulty while the rest still is a quorum. */
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

  /** Takes in the turn that a member says it has reached. @returns whether this member's turn changed. */
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

/** A message that has its place in the order. */
export interface Ordered {
  /** As `roundName` makes it. */
  readonly name: string;
  /** Registry indices of the members that requested the message. */
  readonly origins: Iterable<number>;
  /** What was drawn for the message last, and in which turn. */
  drawn: { readonly turn: number; readonly number: number } | undefined;
}

const text = new TextEncoder();
const domain = text.encode('tutti turn v1');
/** Bytes of a hash that are compared. */
const drawnBytes = 6;

/**
 * The order in which messages get places: first one message of each origin, then a second one of each, and so on. Among
 * the messages of one origin, and among messages of the same rank, a hash of the turn and the message decides. All
 * members that know the same messages and the same turn have the same order. Nobody can choose a message that comes
 * early in every turn, and many messages of one origin delay only each other.
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
  // A sort keeps the order of equal ranks.
  return drawn.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
}

function numberOf(message: Ordered, turn: number, crypto: CryptoSuite): number {
  if (message.drawn?.turn !== turn) {
    const encoded = new Uint8Array(4);
    writeUint(encoded, 0, encoded.length, turn);
    const hash = crypto.sha256([domain, encoded, text.encode(message.name)]);
    message.drawn = { turn, number: readUint(hash, 0, drawnBytes) };
  }
  return message.drawn.number;
}
