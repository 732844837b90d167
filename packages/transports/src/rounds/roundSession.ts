import type { HandelConfig } from '@tutti/core';
import { Channel } from '../channel/channel.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import type { Clock } from '../runtime/clock.ts';
import { Runtime, type RuntimeReport } from '../runtime/runtime.ts';
import type { Transport } from '../transport/transport.ts';
import type { Group, Round } from './group.ts';
import { handelProtocol, type RoundProtocol } from './protocol.ts';

/** Options of a {@link RoundSession}. */
export interface RoundSessionOptions {
  readonly group: Group;
  readonly round: Round;
  /** Registry index of the peer. */
  readonly index: number;
  /** Crypto suite of the channel, with cached shared secrets. */
  readonly crypto: CryptoSuite;
  readonly networkSecret: Uint8Array;
  /** BLS signature of the peer on the round's message, compressed: 96 bytes in G2, or 48 bytes in G1 (`min-sig`). */
  readonly signature: Uint8Array;
  /** Transport that carries only packets of this round's session. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly config: HandelConfig;
  /** Protocol of the round. Default: Handel. */
  readonly protocol?: RoundProtocol | undefined;
  readonly onOutput: (session: RoundSession) => void;
  readonly onFailure: (error: Error) => void;
  readonly onInvalid: (index: number) => void;
  /** Returns whether a member is banned because of another round. */
  readonly isBanned: (index: number) => boolean;
}

/**
 * Number of periods without an output after which the node again accepts messages from members banned because of
 * another round.
 */
const periodsUntilAllHeard = 32;

/** A round's multi-signature, in the registry's order. */
export interface RoundSignature {
  /** Number of signers. */
  readonly weight: number;
  /** Bitfield of the signers: bit b & 7 of byte b >> 3 stands for registry entry b. */
  readonly bits: Uint8Array;
  /** Multi-signature, compressed: 96 bytes in G2, or 48 bytes in G1 (`min-sig`). */
  readonly signature: Uint8Array;
}

/** Report of a peer on one round, including the result. */
export interface RoundReport extends RuntimeReport {
  /** Number of the round. */
  readonly round: number;
  readonly message: Uint8Array;
  /** Seed of the round's shuffle and priorities. */
  readonly seed: Uint8Array;
  /** Heaviest output; undefined if the threshold was not reached. */
  readonly output: RoundSignature | undefined;
}

/** One peer's part in one round: its protocol node on a runtime. */
export class RoundSession {
  readonly round: Round;
  readonly #runtime: Runtime;
  readonly #clock: Clock;
  #originUs: number | undefined;

  constructor(options: RoundSessionOptions) {
    const { group, round, index, config, clock, onOutput, onFailure, isBanned, transport } = options;
    const { protocol = handelProtocol } = options;
    this.round = round;
    this.#clock = clock;
    const { scheme } = round;
    const id = round.positions[index]!;
    const own = scheme.individual(id, options.signature);
    const hearsAllUs = periodsUntilAllHeard * config.disseminationPeriodMs * 1000;
    const channel = new Channel({
      crypto: options.crypto,
      session: round.session,
      self: index,
      secret: options.networkSecret,
      publicKeys: group.networkKeys,
      maxPacketBytes: transport.maxPacketBytes,
    });
    const { endpoints } = group;
    this.#runtime = new Runtime({
      id,
      placement: round.placement,
      endpoints,
      transport,
      channel,
      scheme,
      messages: protocol.messages,
      verifier: round.verifier,
      clock: { nowUs: () => this.#sinceStartUs() },
      createNode: (port) => protocol.createNode({ id, round, own, config, endpoints, channel, transport }, port),
      onOutput: () => onOutput(this),
      onFailure,
      onInvalid: options.onInvalid,
      hears: (member) => !isBanned(member) || (!this.reached && this.#sinceStartUs() > hearsAllUs),
    });
    // The node now holds a reference to this contribution.
    scheme.release(own);
  }

  /**
   * Starts the node. Packets that arrived before the start are not lost.
   *
   * @param originUs common start of the round on the peer's clock, µs; in the past for a late starter. Default: now.
   * @throws RangeError if `originUs` is in the future, or the node was already started. The session is then unchanged.
   */
  start(originUs: number = this.#clock.nowUs()): void {
    const before = this.#originUs;
    this.#originUs = originUs;
    try {
      this.#runtime.start();
    } catch (error) {
      this.#originUs = before;
      throw error;
    }
  }

  get started(): boolean {
    return this.#originUs !== undefined;
  }

  get reached(): boolean {
    return this.#runtime.reached;
  }

  /** Registry indices of the members whose signatures are in verified contributions. */
  get signers(): ReadonlySet<number> {
    return this.#runtime.signers;
  }

  /** Returns the current counters, without the result, which takes longer to compute. */
  counts(): RuntimeReport {
    return this.#runtime.report();
  }

  report(): RoundReport {
    const { round } = this;
    const output = this.#runtime.output();
    return {
      ...this.counts(),
      round: round.number,
      message: round.message,
      seed: round.seed,
      output: output === undefined ? undefined : { ...output, bits: round.inRegistryOrder(output.bits) },
    };
  }

  close(): Promise<void> {
    return this.#runtime.close();
  }

  /** Returns the time since the round's start, µs; 0 before the start. */
  #sinceStartUs(): number {
    return this.#originUs === undefined ? 0 : this.#clock.nowUs() - this.#originUs;
  }
}
