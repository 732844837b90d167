import type { HandelConfig } from '@tutti/core';
import { Channel } from '../channel/channel.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import type { Clock } from '../runtime/clock.ts';
import { Runtime, type RuntimeReport } from '../runtime/runtime.ts';
import type { Transport } from '../transport/transport.ts';
import type { Group } from './group.ts';
import { handelProtocol, type RoundProtocol } from './protocol.ts';
import type { Round } from './round.ts';

export interface RoundSessionOptions {
  readonly group: Group;
  readonly round: Round;
  /** Registry index of the peer. */
  readonly index: number;
  /** For the channel: with shared secrets remembered. */
  readonly crypto: CryptoSuite;
  readonly networkSecret: Uint8Array;
  /** Its BLS signature of the round's message, 96 bytes. */
  readonly signature: Uint8Array;
  /** Of this round's session alone. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly config: HandelConfig;
  /** Default: Handel. */
  readonly protocol?: RoundProtocol | undefined;
  readonly onOutput: (session: RoundSession) => void;
  readonly onFailure: (error: Error) => void;
  readonly onLiar: (index: number) => void;
  /** Whether a member lied in another round. */
  readonly isStruck: (index: number) => boolean;
}

/** Whoever lied in another round is heard all the same where there is no output after so many periods. */
const periodsUntilAllHeard = 32;

/** A round's multi-signature, in the registry's order. */
export interface RoundSignature {
  /** How many signed. */
  readonly weight: number;
  /** Bit b & 7 of byte b >> 3 says that registry entry b signed. */
  readonly bits: Uint8Array;
  /** 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
}

/** What a peer did in one round, and the result. */
export interface RoundReport extends RuntimeReport {
  /** The round's number. */
  readonly round: number;
  readonly message: Uint8Array;
  /** Its shuffle's. */
  readonly seed: Uint8Array;
  /** The heaviest output; undefined when the threshold was not reached. */
  readonly output: RoundSignature | undefined;
}

/** One peer's place in one round: its protocol node, on its runtime. */
export class RoundSession {
  readonly round: Round;
  readonly #runtime: Runtime;
  readonly #clock: Clock;
  #originUs: number | undefined;

  constructor(options: RoundSessionOptions) {
    const { group, round, index, config, clock, onOutput, onFailure, isStruck, transport } = options;
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
      onLiar: options.onLiar,
      hears: (member) => !isStruck(member) || (!this.reached && this.#sinceStartUs() > hearsAllUs),
    });
    // The node holds it now.
    scheme.release(own);
  }

  /**
   * Starts the node. Packets that came before are not lost on it.
   *
   * @param originUs when the round began for everybody, by the peer's clock; a late starter's lies behind. Default:
   *   now.
   */
  start(originUs: number = this.#clock.nowUs()): void {
    this.#originUs = originUs;
    this.#runtime.start();
  }

  get started(): boolean {
    return this.#originUs !== undefined;
  }

  get reached(): boolean {
    return this.#runtime.reached;
  }

  /** Registry indices of the members whose signatures are in contributions that were verified. */
  get signers(): ReadonlySet<number> {
    return this.#runtime.signers;
  }

  /** What was done here so far, without what came of it, which is costlier to tell. */
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

  /** Before the start a node asks for no time. */
  #sinceStartUs(): number {
    return this.#originUs === undefined ? 0 : this.#clock.nowUs() - this.#originUs;
  }
}
