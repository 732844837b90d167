/** Bytes of pending messages of all members together, unless their number alone makes it more. */
const pendingBytes = 16 * 2 ** 20;

/** Whether to sign a message that a member requests; the height is the one that the member named. */
export type ApproveRequest = (
  bytes: Uint8Array,
  from: number,
  height: bigint | undefined,
) => boolean | Promise<boolean>;

export interface ApprovalsOptions {
  /** Decides whether to sign a message. What it throws counts as a refusal. */
  readonly approve: ApproveRequest;
  /** Members of the group. */
  readonly size: number;
  /** Largest number of pending calls for the messages of one member. */
  readonly maxOfOne: number;
  /** Length of the longest message. */
  readonly longestBytes: number;
}

interface Pending {
  calls: number;
  bytes: number;
}

/**
 * Calls of `approve` that have not answered yet. Their number and the bytes of their messages are bounded for each
 * member, so that one member's messages take nobody else's place.
 */
export class Approvals {
  readonly #options: ApprovalsOptions;
  readonly #maxBytes: number;
  readonly #asking = new Set<string>();
  readonly #ofOne = new Map<number, Pending>();

  constructor(options: ApprovalsOptions) {
    this.#options = options;
    this.#maxBytes = Math.max(options.longestBytes, Math.floor(pendingBytes / options.size));
  }

  /** Pending calls, of all members. */
  get pending(): number {
    return this.#asking.size;
  }

  isAsking(name: string): boolean {
    return this.#asking.has(name);
  }

  /** Whether there is room for one more message of a member. */
  hasRoomFor(origin: number, length: number): boolean {
    const { calls, bytes } = this.#ofOne.get(origin) ?? { calls: 0, bytes: 0 };
    return calls < this.#options.maxOfOne && bytes + length <= this.#maxBytes;
  }

  /** Calls `approve`. Only `true` is a yes. */
  async ask(name: string, bytes: Uint8Array, origin: number, height?: bigint): Promise<boolean> {
    const pending = this.#ofOne.get(origin) ?? { calls: 0, bytes: 0 };
    this.#ofOne.set(origin, pending);
    this.#asking.add(name);
    pending.calls++;
    pending.bytes += bytes.length;
    try {
      // In a later turn of the microtask queue: what it throws at once is a refusal too.
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
