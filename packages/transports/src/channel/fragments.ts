import { concat, readUint, writeUint } from '@tutti/core/input';

/** Why a payload that the channel found genuine gave no message, or made one be given up. */
export type FragmentRefusal =
  | 'unknown-framing'
  | 'malformed-piece'
  | 'oversized-message'
  | 'duplicate-piece'
  | 'contradictory-piece'
  | 'incomplete-message';

const wholeKind = 0;
const pieceKind = 1;

// Where the fields of a piece begin: marker 1 | number 4 | index 2 | count 2 | bytes.
const numberAt = 1;
const indexAt = 5;
const countAt = 7;
const pieceHeaderBytes = 9;
const maxPieces = 0xffff;

/** What a held piece costs beside its bytes: an entry of a map, and the array's own header. */
const heldPieceBytes = 64;
/**
 * Numbers remembered a peer, finished or not. A node has one message at a time for a peer; more are under way when it
 * is slow.
 */
const maxNumbers = 8;
/** Messages of the longest kind that may be held of one peer at a time, pieces' own costs included. */
const maxHeldMessages = 4;

/**
 * Numbers of messages, which have four bytes in a piece, repeat after this many; by then a peer's earlier pieces are
 * long given up.
 */
const messageNumbers = 2 ** 32;

/**
 * The payloads that carry a message: one with a marker before it when that fits, else pieces, each of which is to be
 * sealed as a packet of its own. So reassembly spends memory only on peers that the channel knows, and a forged packet
 * spoils no message.
 *
 * @param number an integer under `messageNumbers` that no other message for the same peer has had lately.
 * @throws RangeError for an invalid number, or when the message does not fit into 65,535 pieces.
 */
export function splitMessage(message: Uint8Array, maxPayloadBytes: number, number: number): Uint8Array[] {
  if (!Number.isInteger(number) || number < 0 || number >= messageNumbers)
    throw new RangeError(`number: expected an integer under 2^32, got ${number}`);
  if (message.length < maxPayloadBytes) return [concat(Uint8Array.of(wholeKind), message)];
  const pieceBytes = maxPayloadBytes - pieceHeaderBytes;
  const count = Math.ceil(message.length / pieceBytes);
  if (pieceBytes < 1 || count > maxPieces)
    throw new RangeError(
      `message: expected at most ${maxPieces * Math.max(0, pieceBytes)} bytes in payloads of ${maxPayloadBytes}, got ${message.length}`,
    );
  return Array.from({ length: count }, (_, index) => {
    const bytes = message.subarray(index * pieceBytes, (index + 1) * pieceBytes);
    const piece = new Uint8Array(pieceHeaderBytes + bytes.length);
    piece[0] = pieceKind;
    writeUint(piece, numberAt, indexAt, number);
    writeUint(piece, indexAt, countAt, index);
    writeUint(piece, countAt, pieceHeaderBytes, count);
    piece.set(bytes, pieceHeaderBytes);
    return piece;
  });
}

interface Unfinished {
  readonly count: number;
  /** By index. */
  readonly pieces: Map<number, Uint8Array>;
  bytes: number;
}

/** What is held of one peer: by number, the oldest first; undefined for a message that was handed over. */
type Numbers = Map<number, Unfinished | undefined>;

export interface ReassemblyOptions {
  /** The longest message that is put together of pieces, bytes; a whole one is as long as its packet lets it be. */
  readonly maxMessageBytes: number;
  /** Told of each refused payload, and of each message that was given up for newer ones (`incomplete-message`). */
  readonly onRefused: (code: FragmentRefusal) => void;
}

/**
 * Puts messages together again from the payloads of {@link splitMessage}, whatever is lost, doubled or overtaken on the
 * way. Of each peer this many messages and bytes are held, and no more: the oldest makes room, so that a peer that
 * never finishes harms only itself.
 */
export class Reassembly {
  readonly #maxMessageBytes: number;
  readonly #refused: (code: FragmentRefusal) => void;
  readonly #peers = new Map<number, Numbers>();

  constructor({ maxMessageBytes, onRefused }: ReassemblyOptions) {
    this.#maxMessageBytes = maxMessageBytes;
    this.#refused = onRefused;
  }

  /**
   * The message that this payload is or completes; undefined when it is refused or others are still missing. Never
   * throws, whatever the bytes.
   *
   * @param from the peer, as the channel has found it.
   */
  take(from: number, payload: Uint8Array): Uint8Array | undefined {
    if (payload[0] === pieceKind) return this.#takePiece(from, payload);
    if (payload[0] !== wholeKind) return this.#refuse('unknown-framing');
    return payload.subarray(1);
  }

  /** Bytes held of a peer's unfinished messages, what each piece costs included. */
  heldBytes(from: number): number {
    let held = 0;
    for (const message of this.#peers.get(from)?.values() ?? [])
      if (message !== undefined) held += message.bytes + message.pieces.size * heldPieceBytes;
    return held;
  }

  /** Most bytes that are ever held of one peer. */
  get maxHeldBytes(): number {
    return maxHeldMessages * (this.#maxMessageBytes + heldPieceBytes);
  }

  #takePiece(from: number, payload: Uint8Array): Uint8Array | undefined {
    if (payload.length <= pieceHeaderBytes) return this.#refuse('malformed-piece');
    const number = readUint(payload, numberAt, indexAt);
    const index = readUint(payload, indexAt, countAt);
    const count = readUint(payload, countAt, pieceHeaderBytes);
    if (count < 2 || index >= count) return this.#refuse('malformed-piece');
    const bytes = payload.slice(pieceHeaderBytes);

    const numbers = this.#numbersOf(from);
    if (numbers.has(number) && numbers.get(number) === undefined) return this.#refuse('duplicate-piece');
    const message = numbers.get(number) ?? { count, pieces: new Map(), bytes: 0 };
    if (message.count !== count) return this.#refuse('contradictory-piece');
    const held = message.pieces.get(index);
    if (held !== undefined) return this.#refuse(areEqual(held, bytes) ? 'duplicate-piece' : 'contradictory-piece');
    // Each of those that are missing has a byte at least.
    const missing = count - message.pieces.size - 1;
    if (message.bytes + bytes.length + missing > this.#maxMessageBytes) {
      numbers.delete(number);
      return this.#refuse('oversized-message');
    }

    message.pieces.set(index, bytes);
    message.bytes += bytes.length;
    if (missing === 0) {
      numbers.set(number, undefined);
      this.#makeRoom(from, numbers);
      return concat(...Array.from({ length: count }, (_, i) => message.pieces.get(i)!));
    }
    numbers.set(number, message);
    this.#makeRoom(from, numbers);
    return undefined;
  }

  #numbersOf(from: number): Numbers {
    let numbers = this.#peers.get(from);
    if (numbers === undefined) {
      numbers = new Map();
      this.#peers.set(from, numbers);
    }
    return numbers;
  }

  #makeRoom(from: number, numbers: Numbers): void {
    for (const [number, message] of numbers) {
      if (numbers.size <= maxNumbers && this.heldBytes(from) <= this.maxHeldBytes) return;
      numbers.delete(number);
      if (message !== undefined) this.#refuse('incomplete-message');
    }
  }

  #refuse(code: FragmentRefusal): undefined {
    this.#refused(code);
  }
}

function areEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}
