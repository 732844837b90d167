import type { Counts, CryptoSuite, Group } from '@tutti/transports';
import { messageHash } from '../verification/certificate.ts';
import { maxStatementBytes } from './announcer.ts';
import { Approvals, type ApproveRequest } from './approvals.ts';
import {
  type Announcement,
  type Ask,
  announced,
  decodeAnnouncement,
  encodeAnnouncement,
  largestTurn,
  signAsk,
  verifyAsk,
} from './ask.ts';
import type { Turns } from './signingOrder.ts';
import type { QueuedMessage, SigningEntry, SigningQueue } from './signingQueue.ts';

/** Finished requests of one member. */
interface Window {
  /** Highest number up to which all requests count as finished. */
  floor: number;
  readonly sequences: Set<number>;
}

/**
 * Requests that were certified, rejected or given up. The number of stored requests per member is limited. When a
 * member exceeds the limit, the request with the smallest number is removed, and every request of that member up to
 * this number counts as finished. Therefore no request is judged twice, and one member's requests do not displace the
 * requests of other members.
 */
export class FinishedAsks {
  readonly #max: number;
  readonly #windows = new Map<number, Window>();

  /** @param max maximum number of stored requests per member. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Returns whether a request counts as finished. */
  has({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>): boolean {
    const window = this.#windows.get(origin);
    return window !== undefined && (sequence <= window.floor || window.sequences.has(sequence));
  }

  add({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>): void {
    const window = this.#windows.get(origin) ?? { floor: -1, sequences: new Set<number>() };
    this.#windows.set(origin, window);
    if (sequence <= window.floor) return;
    window.sequences.add(sequence);
    if (window.sequences.size <= this.#max) return;
    window.floor = [...window.sequences].reduce((floor, one) => Math.min(floor, one));
    window.sequences.delete(window.floor);
  }
}

/** Reason why another member's message is not signed, or not signed yet. */
export type RequestRefusal =
  | 'not-approved'
  | 'already-signed'
  | 'busy'
  | 'too-many-of-one'
  | 'forbidden-message'
  | 'signed-log-failed'
  | 'malformed-request'
  | 'forged-request';

/** Maximum number of pending calls of `approve` for one member's messages. */
const maxPendingOfOne = 16;
/**
 * Maximum number of pending calls of `approve` for the messages of all members together. In a group of more members,
 * the maximum is one call per member.
 */
const maxPending = 1024;
/** Number of finished requests stored per member, as a multiple of the member's share of waiting messages. */
const sharesFinished = 4;

/** Options of {@link Requests}. */
interface RequestsOptions {
  readonly crypto: CryptoSuite;
  readonly signingQueue: SigningQueue;
  readonly turns: Turns;
  readonly group: Pick<Group, 'digest' | 'networkKeys'>;
  readonly self: number;
  readonly networkSecret: Uint8Array;
  /**
   * Returns the function that decides about a message of another member, or undefined if the message waits for this
   * member's own request.
   */
  readonly approvalOf: (bytes: Uint8Array) => ApproveRequest | undefined;
  readonly refused: Counts<RequestRefusal>;
  /** Called with a member that sent a message that only a faulty member sends. */
  readonly onInvalid: (from: number) => void;
  /** Called with an approved message. */
  readonly onApproved: (message: RequestedMessage) => void;
}

/** A message that another member announced. */
export interface RequestedMessage extends QueuedMessage {
  readonly ask: Ask;
}

/** Requests of members: whether a request is genuine, whether it was answered, and whether it waits for an answer. */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #finished: FinishedAsks;
  readonly #approvals: Approvals;
  /** Requests whose signature was verified to be the origin's. */
  readonly #proven = new WeakSet<Ask>();
  #sequence = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
    const { approvalOf, group, signingQueue } = options;
    const size = group.networkKeys.length;
    const maxOfOne = Math.max(1, Math.min(maxPendingOfOne, Math.floor(maxPending / size)));
    const approve: ApproveRequest = (bytes, from, height) => approvalOf(bytes)?.(bytes, from, height) ?? false;
    this.#approvals = new Approvals({ approve, size, maxOfOne, maxMessageBytes: maxStatementBytes });
    this.#finished = new FinishedAsks(sharesFinished * signingQueue.share);
  }

  /** Returns the sequence number for a new request by this member. */
  nextSequence(): number {
    this.#sequence = Math.max(this.#sequence + 1, Date.now());
    return this.#sequence;
  }

  /** Marks the requests for a message as finished, after the message was certified, rejected or given up. */
  finish(asks: Iterable<Ask>): void {
    for (const ask of asks) this.#finished.add(ask);
  }

  /**
   * Returns the announcement of a message for another member, or undefined if no request for the message is genuine.
   */
  announcementOf(entry: SigningEntry): ReturnType<typeof announced> | undefined {
    const ask = this.#provenOf(entry);
    if (ask === undefined) return undefined;
    const turn = Math.min(this.#options.turns.now, largestTurn);
    return announced('message', ask.height, encodeAnnouncement({ turn, ask, bytes: entry.bytes }));
  }

  /** Decodes an announcement and handles its sender's turn, or returns undefined for invalid bytes. */
  read(from: number, payload: Uint8Array, height: bigint | undefined): Announcement | undefined {
    const { group, refused, turns, signingQueue } = this.#options;
    const announcement = decodeAnnouncement(payload, group.networkKeys.length, height);
    if (announcement === undefined || announcement.bytes.length > maxStatementBytes) {
      refused.add('malformed-request');
      return undefined;
    }
    if (turns.hear(from, announcement.turn)) signingQueue.next();
    return announcement;
  }

  /**
   * Handles an announcement of a message that is already being signed or waiting. The announcement may contain a
   * request by a member that is not yet known to have requested the message.
   */
  join(entry: SigningEntry, ask: Ask, from: number): void {
    if (entry.origins.has(ask.origin) || !this.#isGenuine(ask, entry.bytes, from)) return;
    entry.origins.add(ask.origin);
    entry.asks.set(ask.origin, ask);
  }

  /** Handles an announcement of an unknown message: requests approval if the limits allow it. */
  consider(message: RequestedMessage, from: number): void {
    const { signingQueue, refused, approvalOf, onApproved } = this.#options;
    const { name, bytes, ask } = message;
    if (approvalOf(bytes) === undefined || this.#finished.has(ask) || this.#approvals.isAsking(name)) return;
    if (!signingQueue.hasRoomFor(ask, bytes.length) || !this.#approvals.hasRoomFor(ask.origin, bytes.length)) {
      refused.add('too-many-of-one');
      return;
    }
    if (!this.#isGenuine(ask, bytes, from)) return;
    void this.#approvals.ask(name, bytes, ask.origin, ask.height).then((isApproved) => {
      if (isApproved) onApproved(message);
      else {
        refused.add('not-approved');
        this.#finished.add(ask);
      }
    });
  }

  /**
   * Returns whether a request was signed by its origin. A member that forwards a forged request is faulty, because
   * honest members check requests before forwarding them.
   */
  #isGenuine(ask: Ask, bytes: Uint8Array, from: number): boolean {
    // If the sender is the origin, the channel has authenticated it. In that case the signature is checked only before
    // the request is forwarded.
    if (from === ask.origin || this.#isProven(ask, bytes)) return true;
    this.#options.refused.add('forged-request');
    this.#options.onInvalid(from);
    return false;
  }

  #isProven(ask: Ask, bytes: Uint8Array): boolean {
    if (this.#proven.has(ask)) return true;
    const { digest, networkKeys } = this.#options.group;
    const isProven = verifyAsk(networkKeys[ask.origin]!, { digest, message: messageHash(bytes) }, ask);
    if (isProven) this.#proven.add(ask);
    return isProven;
  }

  /**
   * Returns a request for a message that other members will accept. A request whose signature is invalid is dropped; it
   * can only have come from its own origin.
   */
  #provenOf(entry: SigningEntry): Ask | undefined {
    const { self, crypto, networkSecret, group, onInvalid, refused } = this.#options;
    const own = entry.asks.get(self);
    if (own !== undefined) return own;
    if (entry.isOwn) {
      const sequence = entry.account === self ? entry.sequence : this.nextSequence();
      const request = { origin: self, sequence, height: entry.height };
      const ask = signAsk(crypto, networkSecret, { digest: group.digest, message: messageHash(entry.bytes) }, request);
      this.#proven.add(ask);
      entry.asks.set(self, ask);
      return ask;
    }
    for (const ask of entry.asks.values()) {
      if (this.#isProven(ask, entry.bytes)) return ask;
      entry.asks.delete(ask.origin);
      refused.add('forged-request');
      onInvalid(ask.origin);
    }
    return undefined;
  }
}
