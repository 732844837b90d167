import { HornTopic, neverUs, type SlotClock, type SlotPlan } from '@tutti/core/horn';
import { fromHex, readUint } from '@tutti/core/input';
import type { CryptoSuite } from '../crypto/suite.ts';
import { HornGroup, type HornKernel } from '../horn/hornGroup.ts';
import { HornPeer, type HornPeerOptions } from '../horn/hornPeer.ts';
import { type HornBlock, HornSlot, type SlotMessage } from '../horn/hornSlot.ts';
import type { Refusal } from '../refusals.ts';
import { roundSeed } from '../rounds/seed.ts';
import type { SharedTransport } from '../rounds/sharedTransport.ts';
import type { OpenVerifier } from '../rounds/verifier.ts';
import { clockFromNow, type TimerClock, withTimers } from '../runtime/clock.ts';
import { signerPositions } from '../runtime/runtime.ts';
import type { MemberIdentity } from './card.ts';
import type { MemberProgress } from './messages.ts';
import type { RoomRound } from './roomState.ts';

/**
 * Times at which a member learned of each vote in a slot, by place. Times are µs since the member's start of the slot,
 * or `neverUs` of `@tutti/core/horn` if the event has not occurred. The arrays change as the slot progresses.
 */
export interface VotesKnown {
  /** Time at which the member first received the vote, alone or in a sum. */
  readonly castUs: Int32Array;
  /** Time at which the member first received the vote in an aggregate or a collection. */
  readonly seenUs: Int32Array;
  /** Time at which the member first received the vote in a collection, which a block can contain. */
  readonly reachUs: Int32Array;
}

/** A slot of Horn, as a member of the room sees it. */
export interface RoomSlot {
  readonly plan: SlotPlan;
  readonly clock: SlotClock;
  /** Places of the member's own validators, in ascending order. */
  readonly places: readonly number[];
  readonly votes: VotesKnown;
}

/** The block that a member would propose at the end of a slot in a room, with all data needed for its verification. */
export interface RoomBlock {
  readonly round: number;
  /** Signed message, UTF-8. */
  readonly message: Uint8Array;
  /** Keys of the validators by place, 48 bytes each. */
  readonly publicKeys: readonly Uint8Array[];
  readonly block: HornBlock;
  /** Time from this member's start until enough votes were in reach, ms; null if that never happened. */
  readonly reachedMs: number | null;
}

/** Function that returns the options by which an adversary's node differs from an honest one. */
export type SlotAttack = (slot: HornSlot) => Pick<HornPeerOptions, 'falsify' | 'role' | 'casts'>;

interface SlotSessionOptions {
  readonly round: RoomRound;
  readonly identity: MemberIdentity;
  readonly crypto: CryptoSuite;
  readonly kernel: HornKernel;
  readonly openVerifier: OpenVerifier | undefined;
  readonly transport: SharedTransport;
  readonly attack: SlotAttack | undefined;
  /** Clock of the member. Default: a clock that starts now. */
  readonly clock?: TimerClock;
  readonly onProgress: () => void;
  readonly onBlock: (block: RoomBlock) => void;
  readonly onRefused: (member: string, code: Refusal) => void;
  readonly onInvalid: (member: string) => void;
  readonly onFailure: (error: Error) => void;
}

/**
 * One member's part in a slot of a room: its node with the validators that it hosts. The member's slot begins when the
 * session is started.
 */
export class SlotSession {
  /** Digest of the validators' registry, 32 bytes. The digest is equal for all members that agree on the registry. */
  readonly digest: Uint8Array;
  /** First place among this member's validators. */
  readonly position: number;
  readonly slot: RoomSlot;
  /** Names of the hosting members, by place. */
  readonly assignment: readonly string[];
  readonly #options: SlotSessionOptions;
  readonly #slot: HornSlot;
  readonly #peer: HornPeer;
  /** Number of votes whose time is known, in `castUs`, `seenUs` and `reachUs`. */
  readonly #known = [0, 0, 0];
  #reachedMs: number | null = null;

  /** @param options options of a round that has a slot. */
  constructor(options: SlotSessionOptions) {
    const { round, identity, crypto, kernel, openVerifier, attack, transport } = options;
    const { clock = withTimers(clockFromNow()) } = options;
    const { parameters, validators } = round.slot!;
    this.#options = options;
    const group = new HornGroup({ crypto, kernel, entries: validators, parameters, openVerifier });
    const { digest, nodes } = group;
    this.digest = digest;
    const seed = roundSeed(crypto, digest, round.number, fromHex(round.beacon, 32)!);
    // The message contains the slot's number, so a vote for another slot is not valid in this slot.
    const message = new TextEncoder().encode(`Slot ${round.number}: ${round.message}`);
    const slot = new HornSlot(group, { number: round.number, message, seed: readUint(seed, 0, 4) });
    this.#slot = slot;
    const { plan } = slot;
    this.assignment = Array.from(plan.nodeAt, (node) => nodes[node]!.endpoint.host);
    const node = nodes.findIndex(({ endpoint }) => endpoint.host === identity.name);
    const places = slot.placesOf(node);
    this.position = places[0]!;
    const never = (): Int32Array => new Int32Array(validators.length).fill(neverUs);
    this.slot = { plan, clock: slot.clock, places, votes: { castUs: never(), seenUs: never(), reachUs: never() } };
    const nameOf = (other: number): string => nodes[other]!.endpoint.host;
    this.#peer = new HornPeer({
      slot,
      node,
      networkSecret: identity.networkSecret,
      sign: (validator, signed) => identity.signAs(Math.floor(validator / nodes.length), signed),
      transport: transport.open(slot.session),
      clock,
      onMessage: (of, atUs) => this.#onMessage(of, atUs),
      onInvalid: (other) => options.onInvalid(nameOf(other)),
      onRefused: (other, code) => options.onRefused(nameOf(other), code),
      onEnd: () => this.#onEnd(),
      onFailure: options.onFailure,
      ...attack?.(slot),
    });
  }

  start(): void {
    this.#peer.greet();
    this.#peer.start();
  }

  progress(): MemberProgress {
    const { messagesSent, messagesReceived, checked } = this.#peer.counts;
    const all = this.assignment.length;
    return {
      round: this.#options.round.number,
      weight: this.#known[2]!,
      levels: this.#known.map((known) => [known, all]),
      sent: messagesSent,
      received: messagesReceived,
      checked,
      reachedMs: this.#reachedMs,
    };
  }

  async close(): Promise<void> {
    await this.#peer.close();
    this.#slot.close();
  }

  #onMessage({ topic, aggregate }: SlotMessage, atUs: number): void {
    const { castUs, seenUs, reachUs } = this.slot.votes;
    const places = signerPositions(this.#slot.scheme.claim(aggregate));
    for (const [stage, times] of [castUs, seenUs, reachUs].entries()) {
      if (stage > topic - HornTopic.subnet) break;
      for (const place of places) {
        if (times[place] !== neverUs) continue;
        times[place] = atUs;
        this.#known[stage]!++;
      }
    }
    if (this.#known[2]! >= this.#options.round.threshold) this.#reachedMs ??= Math.round(atUs / 1000);
    this.#options.onProgress();
  }

  #onEnd(): void {
    const { round } = this.#options;
    const { group, message, plan } = this.#slot;
    this.#options.onBlock({
      round: round.number,
      message,
      publicKeys: Array.from(plan.validatorAt, (validator) => group.publicKeys[validator]!),
      block: this.#peer.block(),
      reachedMs: this.#reachedMs,
    });
    this.#options.onProgress();
  }
}
