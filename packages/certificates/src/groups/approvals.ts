/** Maximum total length of all members' pending messages, bytes, unless the limit on their number allows more. */
const pendingBytes = 16 * 2 ** 20;

/** Decides whether to sign a message that a member requests. The height is the one that this member named. */
export type ApproveRequest = (
  bytes: Uint8Array,
  from: number,
  height: bigint | undefined,
) => boolean | Promise<boolean>;

export interface ApprovalsOptions {
  /** Decides whether to sign a message. An exception counts as a rejection. */
  readonly approve: ApproveRequest;
  /** Number of members of the group. */
  readonly size: number;
  /** Maximum number of pending calls for the messages of one member. */
  readonly maxOfOne: number;
  /** Length of the longest possible message, bytes. */
  readonly maxMessageBytes: number;
}

interface Pending {
  calls: number;
  bytes: number;
}

/**
 * Calls of `approve` without an answer so far. Their number and the bytes of their messages are limited per member, so
 * one member's messages do not take other members' places.
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

  /** Number of pending calls of all members. */
  get pending(): number {
    return this.#asking.size;
  }

  isAsking(name: string): boolean {
    return this.#asking.has(name);
  }

  /** Returns whether there is room for one more message of a member. */
  hasRoomFor(origin: number, length: number): boolean {
    const { calls, bytes } = this.#ofOne.get(origin) ?? { calls: 0, bytes: 0 };
    return calls < this.#options.maxOfOne && bytes + length <= this.#maxBytes;
  }

  /** Calls `approve`. Any result except `true` is a rejection. */
  async ask(name: string, bytes: Uint8Array, origin: number, height?: bigint): Promise<boolean> {
    const pending = this.#ofOne.get(origin) ?? { calls: 0, bytes: 0 };
    this.#ofOne.set(origin, pending);
    this.#asking.add(name);
    pending.calls++;
    pending.bytes += bytes.length;
    try {
      // The call happens in a later turn of the microtask queue, so that a synchronous exception is a rejection too.
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
