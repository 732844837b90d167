import type { Counts, CryptoSuite } from '@tutti/transports/parts';
import { messageHash } from '../verification/certificate.ts';
import { Approvals, type ApproveRequest } from './approvals.ts';
import {
  type Announcement,
  type Ask,
  decodeAnnouncement,
  encodeAnnouncement,
  largestTurn,
  signAsk,
  verifyAsk,
} from './ask.ts';
import { announced } from './namedHeight.ts';
import type { Turns } from './signingOrder.ts';
import type { SigningEntry, SigningQueue } from './signingQueue.ts';

interface Window {
  /** Requests with this number or a smaller one count as finished. */
  floor: number;
  readonly sequences: Set<number>;
}

/**
 * The requests that were certified, refused or given up. It keeps a bounded number of each member's. When a member has
 * more, the one with the smallest number is removed, and every request of that member up to this number counts as
 * finished. So no request is judged twice, and a member's requests displace nobody else's.
 */
export class FinishedAsks {
  readonly #most: number;
  readonly #windows = new Map<number, Window>();

  /** @param most number of requests that are kept of each member. */
  constructor(most: number) {
    this.#most = most;
  }

  has({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>): boolean {
    const window = this.#windows.get(origin);
    return window !== undefined && (sequence <= window.floor || window.sequences.has(sequence));
  }

  add({ origin, sequence }: Pick<Ask, 'origin' | 'sequence'>): void {
    const window = this.#windows.get(origin) ?? { floor: -1, sequences: new Set<number>() };
    this.#windows.set(origin, window);
    if (sequence <= window.floor) return;
    window.sequences.add(sequence);
    if (window.sequences.size <= this.#most) return;
    window.floor = Math.min(...window.sequences);
    window.sequences.delete(window.floor);
  }
}

/** Why a message that another member told of is not signed, or not yet. */
export type RequestRefusal =
  | 'not-approved'
  | 'already-signed'
  | 'busy'
  | 'too-many-of-one'
  | 'forbidden-message'
  | 'signed-log-failed'
  | 'malformed-request'
  | 'forged-request';

/** Pending calls of `approve` for one member's messages, at most; and about as many for all members together. */
const maxPendingOfOne = 16;
const maxPending = 1024;
/** Finished requests that are kept of each member, in shares of what may wait of it. */
const sharesFinished = 4;

export interface RequestsOptions {
  readonly crypto: CryptoSuite;
  readonly signingQueue: SigningQueue;
  readonly turns: Turns;
  /** Digest of the registry, 32 bytes. */
  readonly digest: Uint8Array;
  readonly self: number;
  readonly networkSecret: Uint8Array;
  /** X25519 public keys, by registry entry. */
  readonly networkKeys: readonly Uint8Array[];
  /** What decides about a message of another member; undefined where it waits until this member requests it itself. */
  readonly approvalOf: (bytes: Uint8Array) => ApproveRequest | undefined;
  /** Messages of one member that may wait, at most. */
  readonly share: number;
  readonly longestBytes: number;
  readonly refused: Counts<RequestRefusal>;
  /** Called with a member that sent what only a faulty member sends. */
  readonly onLie: (from: number) => void;
  /** Called with a message that was approved. */
  readonly onApproved: (message: RequestedMessage) => void;
}

/** A message that another member told of. */
export interface RequestedMessage {
  /** Of its round, as `roundName` makes it. */
  readonly name: string;
  /** Of its round; that of the request, unless the message has it in its bytes. */
  readonly height: bigint | undefined;
  readonly bytes: Uint8Array;
  readonly ask: Ask;
}

/** What members request of each other: which requests are genuine, which were answered, and which wait for an answer. */
export class Requests {
  readonly #options: RequestsOptions;
  readonly #finished: FinishedAsks;
  readonly #approvals: Approvals;
  /** Requests of which the signature was found to be the origin's. */
  readonly #proven = new WeakSet<Ask>();
  #sequence = 0;

  constructor(options: RequestsOptions) {
    this.#options = options;
    const { approvalOf, networkKeys, longestBytes, share } = options;
    const size = networkKeys.length;
    const maxOfOne = Math.max(1, Math.min(maxPendingOfOne, Math.floor(maxPending / size)));
    const approve: ApproveRequest = (bytes, from, height) => approvalOf(bytes)?.(bytes, from, height) ?? false;
    this.#approvals = new Approvals({ approve, size, maxOfOne, longestBytes });
    this.#finished = new FinishedAsks(sharesFinished * share);
  }

  /** A new request of this member. */
  nextSequence(): number {
    this.#sequence = Math.max(this.#sequence + 1, Date.now());
    return this.#sequence;
  }

  /** Requests of a message are answered for good: it is certified, refused or given up. */
  finish(asks: Iterable<Ask>): void {
    for (const ask of asks) this.#finished.add(ask);
  }

  /** The announcement of a message, to be sent to another member; undefined where no request of it is genuine. */
  announcementOf(statement: SigningEntry): ReturnType<typeof announced> | undefined {
    const ask = this.#provenOf(statement);
    if (ask === undefined) return undefined;
    const turn = Math.min(this.#options.turns.now, largestTurn);
    return announced('message', ask.height, encodeAnnouncement({ turn, ask, bytes: statement.bytes }));
  }

  /** Reads an announcement, and takes in the turn of its sender; undefined for what is none. */
  read(from: number, payload: Uint8Array, height: bigint | undefined): Announcement | undefined {
    const { networkKeys, refused, turns, signingQueue, longestBytes } = this.#options;
    const announcement = decodeAnnouncement(payload, networkKeys.length, height);
    if (announcement === undefined || announcement.bytes.length > longestBytes) {
      refused.add('malformed-request');
      return undefined;
    }
    if (turns.hear(from, announcement.turn)) signingQueue.next();
    return announcement;
  }

  /** A member told of a message that is being signed or waits: it may be the request of one more member. */
  join(statement: SigningEntry, ask: Ask, from: number): void {
    if (statement.origins.has(ask.origin) || !this.#isGenuine(ask, statement.bytes, from)) return;
    statement.origins.add(ask.origin);
    statement.asks.set(ask.origin, ask);
  }

  /** A member told of a message that is not known: has it approved, where there is room. */
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

  /** Whether a request is its origin's. A member that passes on another one is at fault: honest members look. */
  #isGenuine(ask: Ask, bytes: Uint8Array, from: number): boolean {
    // The channel says so. Its signature is looked at before the request is passed on.
    if (from === ask.origin || this.#isProven(ask, bytes)) return true;
    this.#options.refused.add('forged-request');
    this.#options.onLie(from);
    return false;
  }

  #isProven(ask: Ask, bytes: Uint8Array): boolean {
    if (this.#proven.has(ask)) return true;
    const { digest, networkKeys } = this.#options;
    const isProven = verifyAsk(networkKeys[ask.origin]!, { digest, message: messageHash(bytes) }, ask);
    if (isProven) this.#proven.add(ask);
    return isProven;
  }

  /** A request of a message that others will take. What its own origin told with a false signature is forgotten. */
  #provenOf(statement: SigningEntry): Ask | undefined {
    const { self, crypto, networkSecret, digest, onLie, refused } = this.#options;
    if (statement.isOwn && !statement.asks.has(self)) {
      const sequence = statement.account === self ? statement.sequence : this.nextSequence();
      const own = { origin: self, sequence, height: statement.height };
      const ask = signAsk(crypto, networkSecret, { digest, message: messageHash(statement.bytes) }, own);
      this.#proven.add(ask);
      statement.asks.set(self, ask);
    }
    const own = statement.asks.get(self);
    if (own !== undefined) return own;
    for (const ask of statement.asks.values()) {
      if (this.#isProven(ask, statement.bytes)) return ask;
      statement.asks.delete(ask.origin);
      refused.add('forged-request');
      onLie(ask.origin);
    }
    return undefined;
  }
}
