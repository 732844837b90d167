import {
  type Contribution,
  decodeMessage,
  type Endpoint,
  encodeMessage,
  invert,
  levelMessages,
  longestMessageBytes,
  type MessageForm,
  type MultiSignatureScheme,
  noContribution,
  type Port,
  type ProtocolNode,
  TraceKind,
} from '@tutti/core';
import {
  requireArray,
  requireFunction,
  requireInt32Array,
  requireInteger,
  requireMethods,
  requireObject,
} from '@tutti/core/input';
import type { Channel } from '../channel/channel.ts';
import { Counts, type Refusal } from '../refusals.ts';
import type { Transport } from '../transport/transport.ts';
import type { Clock } from './clock.ts';
import { type LinkCounts, MemberLink } from './memberLink.ts';

/** Claim that a contribution's signature is the sum of the signatures of all members in its set. */
export interface SignatureClaim {
  /** Position of the set's bit 0. */
  readonly first: number;
  /** Bitfield of the signers: bit b & 7 of byte b >> 3 stands for position `first + b`. */
  readonly bits: Uint8Array;
  /**
   * Signature in one of two forms: as a peer sent it, 96 bytes, compressed G2 (`min-sig`: 48 bytes, G1); or as a point
   * of twice that length, whose subgroup was checked when it was decoded.
   */
  readonly signature: Uint8Array;
}

/** Returns the positions of a claim's signers, in ascending order. */
export function signerPositions({ first, bits }: Pick<SignatureClaim, 'first' | 'bits'>): number[] {
  const positions: number[] = [];
  for (let bit = 0; bit < 8 * bits.length; bit++) if ((bits[bit >> 3]! >> (bit & 7)) & 1) positions.push(first + bit);
  return positions;
}

/** Verifies contributions of one round with its public data, asynchronously. */
export interface ContributionVerifier {
  /**
   * Returns for each claim, in order, whether it is valid. Claims that a node requests together are passed in one call;
   * usually, a call has a single claim.
   */
  verifyBatch(claims: readonly SignatureClaim[]): Promise<boolean[]>;
}

/** Options of a {@link Runtime}. */
export interface RuntimeOptions {
  /** Position of the node in the overlay. */
  readonly id: number;
  /** Registry index at each position of the overlay. */
  readonly placement: Int32Array;
  /** Address of each registry entry. */
  readonly endpoints: readonly Endpoint[];
  readonly transport: Transport;
  /** Channel for the registry index `placement[id]`. */
  readonly channel: Channel;
  readonly scheme: MultiSignatureScheme;
  /** Format of the messages. Default: Handel's format. */
  readonly messages?: MessageForm | undefined;
  readonly verifier: ContributionVerifier;
  readonly clock: Clock;
  /** Creates the node from its port. This function is called once. */
  readonly createNode: (port: Port) => ProtocolNode;
  /** Called for every output. Each output is heavier than the previous one. */
  readonly onOutput?: (runtime: Runtime) => void;
  /** Called when a verification could not be carried out; never called after close(). */
  readonly onFailure?: (error: Error) => void;
  /** Called with the registry index of a peer that sent an invalid contribution. */
  readonly onInvalid?: ((index: number) => void) | undefined;
  /**
   * Returns whether the node currently receives messages from a member, given by registry index. Default: the node
   * receives all messages.
   */
  readonly hears?: (index: number) => boolean;
}

/** Counters of a runtime. Byte counts refer to sealed packets, without IP and UDP headers. */
export interface RuntimeCounts extends LinkCounts {
  /** Number of messages that the node sent. */
  messagesSent: number;
  /** Number of received messages that were genuine, complete, well-formed and part of this round. */
  messagesReceived: number;
  /** Number of contributions for which the node requested verification. */
  checked: number;
  /** Number of calls to the protocol node. */
  events: number;
}

/** Counters and rejections of a runtime, with the time of its first output. */
export interface RuntimeReport extends Readonly<RuntimeCounts> {
  readonly id: number;
  /** Time of the first output, µs since the clock's origin; undefined without an output. */
  readonly timeToThresholdUs: number | undefined;
  /** Number of rejections by code, from the channel, the reassembly, the decoder and the node. */
  readonly refused: Readonly<Record<string, number>>;
}

/** A round's multi-signature, with its signers. */
export interface SignedOutput {
  /** Number of signers. */
  readonly weight: number;
  /** Bitfield of the signers: bit b & 7 of byte b >> 3 stands for position b. */
  readonly bits: Uint8Array;
  /** Multi-signature, compressed: 96 bytes in G2, or 48 bytes in G1 (`min-sig`). */
  readonly signature: Uint8Array;
}

/**
 * Runs one protocol node in real time, with the same port that a simulation provides in virtual time. The runtime calls
 * the node for one event at a time, and never during another call to the node. Every input from a peer results either
 * in a message or in a counted rejection.
 */
export class Runtime {
  readonly id: number;
  readonly #options: RuntimeOptions;
  readonly #node: ProtocolNode;
  readonly #messages: MessageForm;
  /** Position of each registry index. */
  readonly #positions: Int32Array;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  readonly #refused = new Counts<Refusal>();
  readonly #signers = new Set<number>();
  readonly #link: MemberLink;
  readonly #counts: RuntimeCounts = {
    messagesSent: 0,
    messagesReceived: 0,
    bytesSent: 0,
    bytesReceived: 0,
    checked: 0,
    events: 0,
  };
  #nextTicket = 1;
  #best: Contribution = noContribution;
  #timeToThresholdUs: number | undefined;
  #closed = false;

  /** @throws TypeError for a missing option or an option of the wrong type; RangeError for an `id` without a place. */
  constructor(options: RuntimeOptions) {
    requireOptions(options);
    this.id = options.id;
    this.#options = options;
    this.#messages = options.messages ?? levelMessages;
    this.#positions = invert(options.placement);
    const { endpoints, transport, channel, scheme } = options;
    this.#link = new MemberLink({
      endpoints,
      transport,
      channel,
      maxMessageBytes: longestMessageBytes(scheme.tree, scheme.signatureBytes, this.#messages),
      counts: this.#counts,
      refused: this.#refused,
      onMessage: (member, bytes) => this.#onMessage(member, bytes),
    });
    this.#node = options.createNode(this.#port());
  }

  /**
   * Starts the node now. Messages that arrived from peers before the start are not lost.
   *
   * @throws RangeError before the clock's origin, because a node's times are never negative.
   */
  start(): void {
    const nowUs = this.#options.clock.nowUs();
    if (nowUs < 0) throw new RangeError(`clock: expected the common start to have passed, got ${nowUs} µs`);
    this.#counts.events++;
    this.#node.start();
  }

  /** Whether the node has produced an output. */
  get reached(): boolean {
    return this.#timeToThresholdUs !== undefined;
  }

  /** Registry indices of the members whose signatures are in verified contributions. */
  get signers(): ReadonlySet<number> {
    return this.#signers;
  }

  /** Returns the heaviest output so far. */
  output(): SignedOutput | undefined {
    if (this.#best === noContribution) return undefined;
    const { scheme } = this.#options;
    const { bits, signature } = scheme.claim(this.#best);
    return { weight: scheme.weight(this.#best), bits, signature };
  }

  report(): RuntimeReport {
    return {
      id: this.id,
      timeToThresholdUs: this.#timeToThresholdUs,
      ...this.#counts,
      refused: this.#refused.toRecord(),
    };
  }

  /** Stops the node permanently and closes the node's transport. The report and the output remain available. */
  close(): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    return this.#link.close();
  }

  #onMessage(member: number, bytes: Uint8Array): void {
    const { scheme, hears } = this.#options;
    const from = this.#positions[member]!;
    if (hears?.(member) === false) {
      this.#refused.add('blacklisted');
      return;
    }
    const message = decodeMessage(scheme, this.id, from, bytes, this.#messages);
    if (!message.ok) {
      this.#refused.add(message.code);
      return;
    }
    this.#counts.messagesReceived++;
    this.#counts.events++;
    this.#node.onMessage(from, message.level, message.aggregate, message.individual, message.flags);
    scheme.release(message.aggregate);
    if (message.individual !== noContribution) scheme.release(message.individual);
  }

  #port(): Port {
    const { clock } = this.#options;
    return {
      nowUs: () => clock.nowUs(),
      send: (to, level, aggregate, individual, flags) => this.#send(to, level, aggregate, individual, flags),
      setTimer: (delayUs, timer) => this.#setTimer(delayUs, timer),
      verify: (contribution) =>
        this.#verify([contribution], (ticket, [valid]) => this.#node.onVerified(ticket, valid!)),
      verifyBatch: (contributions) =>
        this.#verify(contributions, (ticket, verdicts) => this.#node.onBatchVerified!(ticket, verdicts)),
      output: (contribution) => this.#output(contribution),
      refuse: (_level, _peer, code) => this.#refused.add(code),
      trace: (kind, _level, peer) => {
        if (kind === TraceKind.blacklisted) this.#options.onInvalid?.(this.#options.placement[peer]!);
      },
    };
  }

  #send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    if (this.#closed) return;
    const { placement, scheme } = this.#options;
    this.#counts.messagesSent++;
    this.#link.send(placement[to]!, encodeMessage(scheme, level, aggregate, individual, flags, this.#messages));
  }

  #setTimer(delayUs: number, timer: number): void {
    if (this.#closed) return;
    const expire = (): void => {
      this.#timers.delete(timeout);
      this.#counts.events++;
      this.#node.onTimer(timer);
    };
    const timeout = setTimeout(expire, Math.ceil(delayUs / 1000));
    this.#timers.add(timeout);
  }

  /**
   * Verifies several contributions in one call to the verifier.
   *
   * @param report called with the verdicts in a later turn, in the order of the contributions.
   */
  #verify(
    contributions: readonly Contribution[],
    report: (ticket: number, verdicts: readonly boolean[]) => void,
  ): number {
    const ticket = this.#nextTicket++;
    const { placement, scheme, verifier } = this.#options;
    const { claims, verdictsOn } = scheme.claimsToVerify(contributions);
    this.#counts.checked += contributions.length;
    verifier
      .verifyBatch(claims)
      .then((answers) => {
        const verdicts = verdictsOn(answers);
        const valid = claims.filter((_, place) => answers[place]);
        for (const position of valid.flatMap(signerPositions)) this.#signers.add(placement[position]!);
        return verdicts;
      })
      .then(
        (verdicts) => {
          if (this.#closed) return;
          this.#counts.events++;
          report(ticket, verdicts);
        },
        (error: Error) => {
          if (!this.#closed) this.#options.onFailure?.(error);
        },
      );
    return ticket;
  }

  #output(contribution: Contribution): void {
    const { clock, onOutput, scheme } = this.#options;
    scheme.retain(contribution);
    if (this.#best !== noContribution) scheme.release(this.#best);
    this.#best = contribution;
    this.#timeToThresholdUs ??= clock.nowUs();
    onOutput?.(this);
  }
}

function requireOptions(options: RuntimeOptions): void {
  requireObject('options', options);
  const { id, placement, endpoints, scheme, messages = levelMessages, verifier, clock, createNode } = options;
  requireInt32Array('placement', placement);
  requireInteger('id', id, 0, placement.length - 1);
  requireArray('endpoints', endpoints);
  requireMethods('scheme', scheme, ['claim', 'claimsToVerify', 'decode', 'encode', 'weight', 'retain', 'release']);
  requireMethods('messages', messages, ['largestSet', 'aggregateBlock']);
  requireMethods('verifier', verifier, ['verifyBatch']);
  requireMethods('clock', clock, ['nowUs']);
  requireFunction('createNode', createNode);
  for (const name of ['onOutput', 'onFailure', 'onInvalid', 'hears'] as const)
    if (options[name] !== undefined) requireFunction(name, options[name]);
}
