import { concat, readUint, requireFunction, requireInteger, requireObject, writeUint } from '@tutti/core/input';

/** Reason why a genuine payload did not produce a message, or why it ended an unfinished message. */
export type FragmentRefusal =
  | 'unknown-framing'
  | 'malformed-piece'
  | 'oversized-message'
  | 'duplicate-piece'
  | 'contradictory-piece'
  | 'incomplete-message';

const wholeKind = 0;
const pieceKind = 1;

// Offsets of the fields of a piece: marker 1 | number 4 | index 2 | count 2 | bytes.
const numberAt = 1;
const indexAt = 5;
const countAt = 7;
const pieceHeaderBytes = 9;
const maxPieces = 0xffff;

/** Memory counted for each stored piece in addition to its own bytes: the map entry and the array header, bytes. */
const heldPieceBytes = 64;
/**
 * Maximum number of remembered messages per peer, whether finished or not. A node normally has one message at a time
 * for each peer; a slow node has more.
 */
const maxNumbers = 8;
/** Memory limit per peer, as a number of messages of maximum length, each stored as a single piece. */
const maxHeldMessages = 4;

/**
 * Maximum message number, which takes four bytes in a piece. By the time that message numbers repeat, a peer's earlier
 * pieces have long been dropped.
 */
const maxNumber = 2 ** 32 - 1;

/**
 * Returns the payloads that carry a message: a single payload with a marker if the message fits, otherwise pieces, each
 * of which is sealed as a separate packet. Reassembly therefore stores data from known peers only, and a forged packet
 * cannot damage a message.
 *
 * @param number an integer from 0 to 2^32 - 1 that no other recent message to the same peer has.
 * @throws RangeError for an invalid number, or a message that does not fit into 65,535 pieces.
 */
export function splitMessage(message: Uint8Array, maxPayloadBytes: number, number: number): Uint8Array[] {
  requireInteger('number', number, 0, maxNumber);
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
  /** Pieces of the message by index. */
  readonly pieces: Map<number, Uint8Array>;
  bytes: number;
}

/** Messages of one peer by number, oldest first; undefined for a delivered message. */
type Numbers = Map<number, Unfinished | undefined>;

/** Options of a {@link Reassembly}. */
export interface ReassemblyOptions {
  /**
   * Maximum length of a message that is reassembled from pieces, an integer from 1 to 2^31 - 1 bytes. The length of a
   * message in a single piece is limited only by the packet.
   */
  readonly maxMessageBytes: number;
  /** Called for each rejected payload, and for each message dropped in favour of newer ones (`incomplete-message`). */
  readonly onRefused: (code: FragmentRefusal) => void;
}

/**
 * Reassembles messages from the payloads of {@link splitMessage}, even if packets are lost, duplicated or overtaken.
 * The class stores a limited number of messages and bytes per peer. The oldest message of a peer is dropped first, so a
 * peer that never finishes a message harms only itself.
 */
export class Reassembly {
  readonly #maxMessageBytes: number;
  readonly #refused: (code: FragmentRefusal) => void;
  readonly #peers = new Map<number, Numbers>();

  /** @throws TypeError for a missing function or options that are no object; RangeError for an invalid maximum. */
  constructor(options: ReassemblyOptions) {
    requireObject('options', options);
    const { maxMessageBytes, onRefused } = options;
    requireInteger('maxMessageBytes', maxMessageBytes, 1, 2 ** 31 - 1);
    requireFunction('onRefused', onRefused);
    this.#maxMessageBytes = maxMessageBytes;
    this.#refused = onRefused;
  }

  /**
   * Returns the message that this payload contains or completes, or undefined if the payload is rejected or pieces are
   * still missing. Never throws, regardless of the bytes.
   *
   * @param from the peer, as authenticated by the channel.
   */
  take(from: number, payload: Uint8Array): Uint8Array | undefined {
    if (payload[0] === pieceKind) return this.#takePiece(from, payload);
    if (payload[0] !== wholeKind) return this.#refuse('unknown-framing');
    return payload.subarray(1);
  }

  /** Returns the number of bytes stored for a peer's unfinished messages, including the overhead of each piece. */
  heldBytes(from: number): number {
    let held = 0;
    for (const message of this.#peers.get(from)?.values() ?? [])
      if (message !== undefined) held += message.bytes + message.pieces.size * heldPieceBytes;
    return held;
  }

  /** Maximum number of bytes that are stored per peer, as counted by {@link heldBytes}. */
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

    const numbers: Numbers = this.#peers.get(from) ?? new Map();
    this.#peers.set(from, numbers);
    if (numbers.has(number) && numbers.get(number) === undefined) return this.#refuse('duplicate-piece');
    const message = numbers.get(number) ?? { count, pieces: new Map(), bytes: 0 };
    if (message.count !== count) return this.#refuse('contradictory-piece');
    const held = message.pieces.get(index);
    if (held !== undefined) return this.#refuse(areEqual(held, bytes) ? 'duplicate-piece' : 'contradictory-piece');
    // Each missing piece contains at least one byte.
    const missing = count - message.pieces.size - 1;
    if (message.bytes + bytes.length + missing > this.#maxMessageBytes) {
      numbers.delete(number);
      return this.#refuse('oversized-message');
    }

    message.pieces.set(index, bytes);
    message.bytes += bytes.length;
    numbers.set(number, missing === 0 ? undefined : message);
    this.#makeRoom(from, numbers);
    return missing === 0 ? concat(...Array.from({ length: count }, (_, i) => message.pieces.get(i)!)) : undefined;
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
