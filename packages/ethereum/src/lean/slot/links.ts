import { bytesPerUs } from '../../horn/network/linkClasses.ts';
import type { LeanProof } from '../world.ts';

/** For how long a receiver's link may be busy before its senders wait: what lies between them (flow control). */
const aheadUs = 100_000;

/** How many waiting copies are looked at for one whose receiver is free. */
const lookedAt = 32;

export const messageKinds = ['proofs', 'haveBits', 'requests'] as const;
export type MessageKind = (typeof messageKinds)[number];

export interface LeanMessage {
  readonly kind: MessageKind;
  readonly proof: LeanProof;
  readonly from: number;
  readonly to: number;
  readonly bytes: number;
  /** Over which topic it came, to be passed on; undefined for a message between two nodes. */
  readonly topic: string | undefined;
}

interface LinkClock {
  readonly nowUs: number;
  /** Makes {@link LeanLinks.freed} be called. */
  whenFree(atUs: number, node: number): void;
  /** Makes a message be handled by its receiver. */
  deliver(atUs: number, message: LeanMessage): void;
  oneWayUs(from: number, to: number): number;
  /** Whether the receiver is known to have it already (IDONTWANT). */
  isUnwanted(message: LeanMessage): boolean;
}

/**
 * The nodes' links: a message waits for its sender's upload, control messages before proofs, and then for its receiver's
 * download. TCP's slow start, loss and queues within the network are left out.
 */
export class LeanLinks {
  /** Bytes by node and kind, and how many proofs came and how many of them for nothing. */
  readonly received: Readonly<Record<MessageKind, Float64Array>>;
  readonly sent: Float64Array;
  readonly #clock: LinkClock;
  readonly #up: Float64Array;
  readonly #down: Float64Array;
  readonly #boxes: { readonly small: LeanMessage[]; readonly large: LeanMessage[] }[];
  readonly #busy: Uint8Array;
  readonly #upFreeUs: Float64Array;
  readonly #againUs: Float64Array;
  readonly #downFreeUs: Float64Array;

  /** @param mbps of each node, up and down. */
  constructor(nodes: number, mbps: (node: number) => readonly [up: number, down: number], clock: LinkClock) {
    this.#clock = clock;
    this.#up = Float64Array.from({ length: nodes }, (_, node) => bytesPerUs(mbps(node)[0]));
    this.#down = Float64Array.from({ length: nodes }, (_, node) => bytesPerUs(mbps(node)[1]));
    this.#boxes = Array.from({ length: nodes }, () => ({ small: [], large: [] }));
    this.#busy = new Uint8Array(nodes);
    this.#upFreeUs = new Float64Array(nodes);
    this.#againUs = new Float64Array(nodes);
    this.#downFreeUs = new Float64Array(nodes);
    this.sent = new Float64Array(nodes);
    this.received = {
      proofs: new Float64Array(nodes),
      haveBits: new Float64Array(nodes),
      requests: new Float64Array(nodes),
    };
  }

  send(message: LeanMessage): void {
    const { small, large } = this.#boxes[message.from]!;
    (message.kind === 'proofs' ? large : small).push(message);
    this.#pump(message.from);
  }

  /** Its upload is free, or a receiver's download may be. */
  freed(node: number): void {
    if (this.#upFreeUs[node]! <= this.#clock.nowUs) this.#busy[node] = 0;
    this.#pump(node);
  }

  #pump(node: number): void {
    if (this.#busy[node] === 1) return;
    const { small, large } = this.#boxes[node]!;
    const first = small.shift();
    if (first !== undefined) {
      this.#transmit(first);
      return;
    }
    let soonestUs = Number.POSITIVE_INFINITY;
    for (let at = 0; at < Math.min(large.length, lookedAt); ) {
      const message = large[at]!;
      if (this.#clock.isUnwanted(message)) {
        large.splice(at, 1);
        continue;
      }
      // A receiver whose link is busy for long takes no more: its sender's copy waits, and may turn out not to be wanted.
      const freeUs = this.#downFreeUs[message.to]! - aheadUs;
      if (freeUs <= this.#clock.nowUs) {
        large.splice(at, 1);
        this.#transmit(message);
        return;
      }
      soonestUs = Math.min(soonestUs, freeUs);
      at++;
    }
    if (Number.isFinite(soonestUs) && !(this.#againUs[node]! > this.#clock.nowUs)) {
      this.#againUs[node] = Math.ceil(soonestUs);
      this.#clock.whenFree(Math.ceil(soonestUs), node);
    }
  }

  #transmit(message: LeanMessage): void {
    const { from, to, bytes, kind } = message;
    const now = this.#clock.nowUs;
    const sentUs = bytes / this.#up[from]!;
    const firstByteUs = now + this.#clock.oneWayUs(from, to);
    const doneUs = Math.max(
      Math.max(firstByteUs, this.#downFreeUs[to]!) + bytes / this.#down[to]!,
      firstByteUs + sentUs,
    );
    this.#downFreeUs[to] = doneUs;
    this.sent[from]! += bytes;
    this.received[kind][to]! += bytes;
    this.#busy[from] = 1;
    this.#upFreeUs[from] = Math.ceil(now + sentUs);
    this.#clock.whenFree(Math.ceil(now + sentUs), from);
    this.#clock.deliver(Math.ceil(doneUs), message);
  }
}
