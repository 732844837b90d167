import type { JoinGroupOptions } from './joinOptions.ts';

/**
 * Maximum total length of all members' pending messages, bytes; it may be exceeded if one message of maximum length per
 * member requires more.
 */
const pendingBytes = 16 * 2 ** 20;

/** Decides whether to sign a message that another member requests; see the option `approve` of `joinGroup`. */
export type ApproveRequest = NonNullable<JoinGroupOptions['approve']>;

/** Options of {@link Approvals}. */
interface ApprovalsOptions {
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
