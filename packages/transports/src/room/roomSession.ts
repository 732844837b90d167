import {
  type Contribution,
  defaultHandelConfig,
  ForwardingPort,
  type HandelConfig,
  type Port,
  type ProtocolNode,
  type ScreeningRefusal,
  TraceKind,
} from '@tutti/core';
import { fromHex } from '@tutti/core/input';
import type { CryptoSuite } from '../crypto/suite.ts';
import type { Refusal } from '../refusals.ts';
import { Group, type GroupKernel, type Round } from '../rounds/group.ts';
import { handelProtocol, type RoundProtocol } from '../rounds/protocol.ts';
import { RoundSession } from '../rounds/roundSession.ts';
import { roundSeed } from '../rounds/seed.ts';
import type { SharedTransport } from '../rounds/sharedTransport.ts';
import type { OpenVerifier } from '../rounds/verifier.ts';
import { clockFromNow } from '../runtime/clock.ts';
import { signerPositions } from '../runtime/runtime.ts';
import type { MemberIdentity } from './card.ts';
import type { MemberProgress } from './messages.ts';
import type { RoomRound } from './roomState.ts';

/** A room's multi-signature, with all data needed for its verification. */
export interface RoomResult {
  readonly round: number;
  /** Signed text, UTF-8. */
  readonly message: Uint8Array;
  /** Keys of the round's members in ascending order of the members' names, 48 bytes each. */
  readonly publicKeys: readonly Uint8Array[];
  /** Bitfield of the signers: bit b & 7 of byte b >> 3 stands for member b. */
  readonly bits: Uint8Array;
  readonly weight: number;
  /** Multi-signature, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** Time from this member's start until the threshold was reached, ms. */
  readonly reachedMs: number;
}

/**
 * A step of this member's own node; positions refer to the round's tree. Step times are in µs since the session was
 * created.
 */
export type RoomStep = { readonly timeUs: number; readonly level: number } & (
  | { readonly what: 'sent' | 'received' | 'checking'; readonly peer: number }
  /**
   * All verifications that began since the last step of this kind have ended: a single one, or those of a batch.
   * `level` is 0.
   */
  | { readonly what: 'checked' }
  /** In_l now has a new weight and contains the listed positions. */
  | { readonly what: 'improved'; readonly held: readonly number[] }
);

interface RoomSessionOptions {
  readonly round: RoomRound;
  readonly identity: MemberIdentity;
  /** Crypto suite with cached shared secrets, because the same members meet in each round. */
  readonly crypto: CryptoSuite;
  readonly kernel: GroupKernel;
  readonly openVerifier: OpenVerifier | undefined;
  readonly transport: SharedTransport;
  readonly config: Partial<HandelConfig>;
  /** Protocol of the node. Default: Handel. */
  readonly protocol?: RoundProtocol | undefined;
  readonly onProgress: () => void;
  readonly onResult: (result: RoomResult) => void;
  readonly onStep: (step: RoomStep) => void;
  readonly onRefused: (member: string, code: Refusal) => void;
  readonly onInvalid: (member: string) => void;
  readonly onFailure: (error: Error) => void;
}

type Untimed<Step> = Step extends unknown ? Omit<Step, 'timeUs'> : never;

/** One member's part in one round of a room: its session in the round, with observers on both sides of its node. */
export class RoomSession {
  /**
   * Digest of the members' registry, 32 bytes. The digest is equal for all nodes of the round that agree on its
   * members.
   */
  readonly digest: Uint8Array;
  /** Position of this member in the round's tree. */
  readonly position: number;
  readonly #options: RoomSessionOptions;
  readonly #group: Group;
  readonly #round: Round;
  readonly #clock = clockFromNow();
  readonly #session: RoundSession;
  /** Progress by level, starting at level 1. */
  readonly #levels: { held: number; readonly peers: number }[];
  /** Weight of the heaviest multi-signature; 0 before the threshold is reached. */
  #weight = 0;

  constructor(options: RoomSessionOptions) {
    const { round, identity, crypto, kernel, openVerifier, config, protocol = handelProtocol } = options;
    const { entries, number, threshold, beacon } = round;
    this.#options = options;
    this.#group = new Group({ crypto, kernel, entries, openVerifier });
    this.digest = this.#group.digest;
    this.#round = this.#group.enter({
      number,
      message: new TextEncoder().encode(round.message),
      seed: roundSeed(crypto, this.digest, number, fromHex(beacon, 32)!),
    });
    const { scheme, positions, session } = this.#round;
    const index = entries.findIndex(({ endpoint }) => endpoint.host === identity.name);
    this.position = positions[index]!;
    const { tree } = scheme;
    this.#levels = Array.from({ length: tree.levels }, (_, below) => ({
      held: 0,
      peers: tree.size(tree.peerBlock(this.position, below + 1)),
    }));
    const listener: PortListener = {
      onChecking: (level, peer) => this.#step({ what: 'checking', peer, level }),
      onSent: (level, peer) => this.#step({ what: 'sent', peer, level }),
      onRefused: (peer, code) => options.onRefused(this.#nameAt(peer), code),
      onImproved: (level, contribution) => this.#onImproved(level, contribution),
    };
    this.#session = new RoundSession({
      group: this.#group,
      round: this.#round,
      index,
      crypto,
      networkSecret: identity.networkSecret,
      signature: identity.sign(this.#round.message),
      transport: options.transport.open(session),
      clock: this.#clock,
      config: { ...defaultHandelConfig, ...config, threshold },
      protocol: {
        messages: protocol.messages,
        createNode: (place, port) => this.#watched(protocol.createNode(place, new ObservedPort(port, listener))),
      },
      onOutput: () => this.#onOutput(),
      onFailure: options.onFailure,
      onInvalid: (member) => options.onInvalid(entries[member]!.endpoint.host),
      isBanned: () => false,
    });
  }

  start(): void {
    this.#session.start(0);
  }

  /** Names by position in the round's tree. */
  get assignment(): readonly string[] {
    return Array.from(this.#round.placement, (_, position) => this.#nameAt(position));
  }

  progress(): MemberProgress {
    const { timeToThresholdUs, messagesSent, messagesReceived, checked } = this.#session.counts();
    const known = this.#levels.reduce((sum, level) => sum + level.held, 1);
    return {
      round: this.#round.number,
      weight: Math.max(known, this.#weight),
      levels: this.#levels.map(({ held, peers }) => [held, peers]),
      sent: messagesSent,
      received: messagesReceived,
      checked,
      reachedMs: timeToThresholdUs === undefined ? null : Math.round(timeToThresholdUs / 1000),
    };
  }

  async close(): Promise<void> {
    await this.#session.close();
    this.#group.leave(this.#round);
  }

  #onOutput(): void {
    const { weight, bits, signature } = this.#session.report().output!;
    this.#weight = weight;
    this.#options.onResult({
      round: this.#round.number,
      message: this.#round.message,
      publicKeys: this.#options.round.entries.map(({ publicKey }) => publicKey),
      bits,
      weight,
      signature,
      reachedMs: this.progress().reachedMs!,
    });
    this.#options.onProgress();
  }

  /** Returns the node, wrapped in an observer of its calls. */
  #watched(node: ProtocolNode): ProtocolNode {
    return {
      start: () => node.start(),
      onTimer: (timer) => node.onTimer(timer),
      onVerified: (ticket, valid) => {
        this.#step({ what: 'checked', level: 0 });
        node.onVerified(ticket, valid);
      },
      onBatchVerified: (ticket, verdicts) => {
        this.#step({ what: 'checked', level: 0 });
        node.onBatchVerified!(ticket, verdicts);
      },
      onMessage: (from, level, aggregate, individual, flags) => {
        this.#step({ what: 'received', peer: from, level });
        node.onMessage(from, level, aggregate, individual, flags);
      },
    };
  }

  #onImproved(level: number, contribution: Contribution): void {
    this.#levels[level - 1]!.held = this.#round.scheme.weight(contribution);
    this.#step({ what: 'improved', level, held: signerPositions(this.#round.scheme.claim(contribution)) });
  }

  #step(step: Untimed<RoomStep>): void {
    this.#options.onStep({ ...step, timeUs: this.#clock.nowUs() });
  }

  #nameAt(position: number): string {
    return this.#group.endpoints[this.#round.placement[position]!]!.host;
  }
}

/** Observer of the calls to a node's port. */
interface PortListener {
  onChecking(level: number, peer: number): void;
  onSent(level: number, peer: number): void;
  onRefused(peer: number, code: ScreeningRefusal): void;
  onImproved(level: number, contribution: Contribution): void;
}

/** A node's port with an observer. */
class ObservedPort extends ForwardingPort {
  readonly #listener: PortListener;

  constructor(port: Port, listener: PortListener) {
    super(port);
    this.#listener = listener;
  }

  override verify(contribution: Contribution, level: number, peer: number): number {
    this.#listener.onChecking(level, peer);
    return super.verify(contribution, level, peer);
  }

  override verifyBatch(
    contributions: readonly Contribution[],
    levels: readonly number[],
    peers: readonly number[],
  ): number {
    for (const [place, level] of levels.entries()) this.#listener.onChecking(level, peers[place]!);
    return super.verifyBatch(contributions, levels, peers);
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    super.send(to, level, aggregate, individual, flags);
    this.#listener.onSent(level, to);
  }

  override refuse(level: number, peer: number, code: ScreeningRefusal): void {
    super.refuse(level, peer, code);
    this.#listener.onRefused(peer, code);
  }

  override trace(kind: TraceKind, level: number, peer: number, contribution: Contribution): void {
    super.trace(kind, level, peer, contribution);
    if (kind === TraceKind.levelImproved) this.#listener.onImproved(level, contribution);
  }
}
