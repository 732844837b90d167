import type { Counts, CryptoSuite } from '@tutti/transports';
import { messageHash } from '../verification/certificate.ts';
import { maxStatementBytes } from './announcer.ts';
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
import type { SigningEntry, SigningQueue } from './signingQueue.ts';

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
    window.floor = Math.min(...window.sequences);
    window.sequences.delete(window.floor);
  }
}

/**
 * Maximum total length of all members' pending messages, bytes; it may be exceeded if one message of maximum length per
 * member requires more.
 */
const pendingBytes = 16 * 2 ** 20;

/**
 * Decides whether to sign a message that a member requests. The argument `height` is the height that the requesting
 * member named.
 */
export type ApproveRequest = (
  bytes: Uint8Array,
  from: number,
  height: bigint | undefined,
) => boolean | Promise<boolean>;

/** Options of {@link Approvals}. */
export interface ApprovalsOptions {
  /** Decides whether to sign a message. An exception from `approve` counts as a rejection. */
  readonly approve: ApproveRequest;
  /** Number of members of the group. */
  readonly size: number;
  /** Maximum number of pending calls for the messages of one member. */
  readonly maxOfOne: number;
  /** Maximum length of a message, bytes. */
  readonly maxMessageBytes: number;
}

/** Number of pending calls for one member, and the total length of the calls' messages, bytes. */
interface Pending {
  calls: number;
  bytes: number;
}

/**
 * Calls of `approve` that have not returned an answer so far. The number of pending calls and the total length of their
 * messages are limited per member, so one member's messages do not displace those of other members.
 */
export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #maxBytes: number;
  readonly #asking = new Set<string>();
  readonly #ofOne = new Map<number, Pending>();

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#maxBytes = Math.max(options.maxMessageBytes, Math.floor(pendingBytes / options.size));
  }

  /** Returns whether a call for the message with this name is pending. */
  isAsking(name: string): boolean {
    return this.#asking.has(name);
  }

  /** Returns whether the limits of a member allow one more message of this length. */
  hasRoomFor(origin: number, length: number): boolean {
    const { calls, bytes } = this.#ofOne.get(origin) ?? { calls: 0, bytes: 0 };
    return calls < this.#options.maxOfOne && bytes + length <= this.#maxBytes;
  }

  /** Calls `approve` for a message. Any result of `approve` except `true` is a rejection. */
  async ask(name: string, bytes: Uint8Array, origin: number, height?: bigint): Promise<boolean> {
    const pending = this.#ofOne.get(origin) ?? { calls: 0, bytes: 0 };
    this.#ofOne.set(origin, pending);
    this.#asking.add(name);
    pending.calls++;
    pending.bytes += bytes.length;
    try {
      // `approve` is called in a later microtask, not during the call of this method. A synchronous exception is also
      // handled as a rejection.
      await undefined;
      return (await this.#options.approve(bytes.slice(), origin, height)) === true;
    } catch {
      return false;
    } finally {
      this.#asking.delete(name);
      pending.calls--;
      pending.bytes -= bytes.length;
      if (pending.calls === 0) this.#ofOne.delete(origin);
    }
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
export interface RequestsOptions {
  readonly crypto: CryptoSuite;
  readonly signingQueue: SigningQueue;
  readonly turns: Turns;
  /** Digest of the registry, 32 bytes. */
  readonly digest: Uint8Array;
  readonly self: number;
  readonly networkSecret: Uint8Array;
  /** X25519 public keys, in the order of the registry entries. */
  readonly networkKeys: readonly Uint8Array[];
  /**
   * Returns the function that decides about a message of another member, or undefined if the message waits for this
   * member's own request.
   */
  readonly approvalOf: (bytes: Uint8Array) => ApproveRequest | undefined;
  /** Maximum number of waiting messages per member. */
  readonly share: number;
  readonly refused: Counts<RequestRefusal>;
  /** Called with a member that sent a message that only a faulty member sends. */
  readonly onInvalid: (from: number) => void;
  /** Called with an approved message. */
  readonly onApproved: (message: RequestedMessage) => void;
}

/** A message that another member announced. */
export interface RequestedMessage {
  /** Name of the message's round, from `roundName`. */
  readonly name: string;
  /** Height of the message's round: the request's height, unless the message contains its height. */
  readonly height: bigint | undefined;
  readonly bytes: Uint8Array;
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
    const { approvalOf, networkKeys, share } = options;
    const size = networkKeys.length;
    const maxOfOne = Math.max(1, Math.min(maxPendingOfOne, Math.floor(maxPending / size)));
    const approve: ApproveRequest = (bytes, from, height) => approvalOf(bytes)?.(bytes, from, height) ?? false;
    this.#approvals = new Approvals({ approve, size, maxOfOne, maxMessageBytes: maxStatementBytes });
    this.#finished = new FinishedAsks(sharesFinished * share);
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
    const { networkKeys, refused, turns, signingQueue } = this.#options;
    const announcement = decodeAnnouncement(payload, networkKeys.length, height);
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
    const { digest, networkKeys } = this.#options;
    const isProven = verifyAsk(networkKeys[ask.origin]!, { digest, message: messageHash(bytes) }, ask);
    if (isProven) this.#proven.add(ask);
    return isProven;
  }

  /**
   * Returns a request for a message that other members will accept. A request whose signature is invalid is dropped; it
   * can only have come from its own origin.
   */
  #provenOf(entry: SigningEntry): Ask | undefined {
    const { self, crypto, networkSecret, digest, onInvalid, refused } = this.#options;
    if (entry.isOwn && !entry.asks.has(self)) {
      const sequence = entry.account === self ? entry.sequence : this.nextSequence();
      const own = { origin: self, sequence, height: entry.height };
      const ask = signAsk(crypto, networkSecret, { digest, message: messageHash(entry.bytes) }, own);
      this.#proven.add(ask);
      entry.asks.set(self, ask);
    }
    const own = entry.asks.get(self);
    if (own !== undefined) return own;
    for (const ask of entry.asks.values()) {
      if (this.#isProven(ask, entry.bytes)) return ask;
      entry.asks.delete(ask.origin);
      refused.add('forged-request');
      onInvalid(ask.origin);
    }
    return undefined;
  }
}

/** Pending requests for certificates, by the name of the round. */
export class Requesters<T> {
  readonly #requesters = new Map<
    string,
    { readonly resolve: (value: T) => void; readonly reject: (error: Error) => void }[]
  >();

  /** Returns a promise that resolves to the certificate. */
  ask(name: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#requesters.set(name, [...(this.#requesters.get(name) ?? []), { resolve, reject }]);
    });
  }

  resolve(name: string, value: T): void {
    for (const { resolve } of this.#requesters.get(name) ?? []) resolve(value);
    this.#requesters.delete(name);
  }

  reject(name: string, error: Error): void {
    for (const { reject } of this.#requesters.get(name) ?? []) reject(error);
    this.#requesters.delete(name);
  }

  rejectAll(error: Error): void {
    for (const name of [...this.#requesters.keys()]) this.reject(name, error);
  }
}
