import {
  defaultHandelConfig,
  type HandelConfig,
  HandelNode,
  type Port,
  type ProtocolNode,
  refusalName,
  TraceKind,
} from '@tutti/core';
import { Channel } from '../channel.ts';
import { clockFromNow } from '../clockFromNow.ts';
import type { CryptoSuite } from '../crypto/suite.ts';
import { Host } from '../host.ts';
import { Group, type GroupKernel } from '../rounds/group.ts';
import { roundSeed } from '../rounds/plan.ts';
import type { Round } from '../rounds/round.ts';
import type { SharedTransport } from '../rounds/sharedTransport.ts';
import type { OpenVerifier } from '../rounds/verifier.ts';
import type { MemberIdentity } from './card.ts';
import type { Progress } from './messages.ts';
import type { RoomRound } from './room.ts';

/** A room's multi-signature, with all that it takes to check it. */
export interface RoomResult {
  readonly round: number;
  /** What was signed, UTF-8. */
  readonly message: Uint8Array;
  /** The keys of the round's members, by name, 48 bytes each. */
  readonly publicKeys: readonly Uint8Array[];
  /** Bit b & 7 of byte b >> 3 says that member b signed. */
  readonly bits: Uint8Array;
  readonly weight: number;
  /** 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** Since this member began, ms. */
  readonly reachedMs: number;
}

/** A message of this member's own node: to or from whom, at which level. */
export interface RoomFlow {
  readonly direction: 'sent' | 'received';
  readonly peer: string;
  readonly level: number;
}

export interface RoomSeatOptions {
  readonly round: RoomRound;
  readonly identity: MemberIdentity;
  /** With shared secrets remembered, since the same members meet in round after round. */
  readonly crypto: CryptoSuite;
  readonly kernel: GroupKernel;
  readonly openVerifier: OpenVerifier;
  readonly transport: SharedTransport;
  readonly config: Partial<HandelConfig>;
  readonly onProgress: () => void;
  readonly onResult: (result: RoomResult) => void;
  readonly onFlow: (flow: RoomFlow) => void;
  readonly onRefused: (member: string, code: string) => void;
  readonly onLie: (member: string) => void;
  readonly onFailure: (error: Error) => void;
}

/** One member's place in one round of a room: its Handel node on its host, watched from both sides. */
export class RoomSeat {
  /** 32 bytes: what all members of the round have if they agree on who is in it. */
  readonly digest: Uint8Array;
  readonly #options: RoomSeatOptions;
  readonly #group: Group;
  readonly #round: Round;
  readonly #host: Host;
  /** By level, from 1 up. */
  readonly #levels: { held: number; readonly peers: number }[];

  constructor(options: RoomSeatOptions) {
    const { round, identity, crypto, kernel, openVerifier, transport, config } = options;
    const { entries, number, threshold } = round;
    this.#options = options;
    this.#group = new Group({ crypto, kernel, entries, openVerifier });
    this.digest = this.#group.digest;
    this.#round = this.#group.enter({
      number,
      message: new TextEncoder().encode(round.message),
      seed: roundSeed(crypto, this.digest, number),
    });
    const { scheme, priorities, placement, positions, session } = this.#round;
    const index = entries.findIndex(({ endpoint }) => endpoint.host === identity.name);
    const id = positions[index]!;
    const { tree } = scheme;
    this.#levels = Array.from({ length: tree.levels }, (_, below) => ({
      held: 0,
      peers: tree.size(tree.peerBlock(id, below + 1)),
    }));
    const own = scheme.individual(id, identity.sign(this.#round.message));
    this.#host = new Host({
      id,
      placement,
      endpoints: this.#group.endpoints,
      transport: transport.open(session),
      channel: new Channel({
        crypto,
        session,
        self: index,
        secret: identity.networkSecret,
        publicKeys: this.#group.networkKeys,
      }),
      scheme,
      verifier: this.#round.verifier,
      clock: clockFromNow(),
      createNode: (port) =>
        this.#watched(
          new HandelNode({
            id,
            config: { ...defaultHandelConfig, ...config, threshold },
            scheme,
            priorities,
            own,
            port: this.#watching(port),
          }),
        ),
      onOutput: () => this.#onOutput(),
      onFailure: options.onFailure,
    });
    scheme.release(own);
  }

  start(): void {
    this.#host.start();
  }

  progress(): Progress {
    const { timeToThresholdUs, messagesSent, messagesReceived, checked } = this.#host.report();
    const held = this.#levels.reduce((sum, level) => sum + level.held, 1);
    return {
      round: this.#round.number,
      weight: Math.max(held, this.#host.output()?.weight ?? 0),
      levels: this.#levels.map(({ held, peers }) => [held, peers]),
      sent: messagesSent,
      received: messagesReceived,
      checked,
      reachedMs: timeToThresholdUs === undefined ? null : Math.round(timeToThresholdUs / 1000),
    };
  }

  async close(): Promise<void> {
    await this.#host.close();
    this.#group.leave(this.#round);
  }

  #onOutput(): void {
    const { weight, bits, signature } = this.#host.output()!;
    this.#options.onResult({
      round: this.#round.number,
      message: this.#round.message,
      publicKeys: this.#options.round.entries.map(({ publicKey }) => publicKey),
      bits: this.#round.inRegistryOrder(bits),
      weight,
      signature,
      reachedMs: this.progress().reachedMs!,
    });
    this.#options.onProgress();
  }

  /** The node, overheard. */
  #watched(node: HandelNode): ProtocolNode {
    return {
      start: () => node.start(),
      onTimer: (timer) => node.onTimer(timer),
      onVerified: (ticket, valid) => node.onVerified(ticket, valid),
      onMessage: (from, level, aggregate, individual, flags) => {
        this.#options.onFlow({ direction: 'received', peer: this.#nameAt(from), level });
        node.onMessage(from, level, aggregate, individual, flags);
      },
    };
  }

  /** The node's port, overheard. */
  #watching(port: Port): Port {
    const { onFlow, onRefused, onLie, onProgress } = this.#options;
    return {
      nowUs: () => port.nowUs(),
      setTimer: (delayUs, timer) => port.setTimer(delayUs, timer),
      verify: (contribution) => port.verify(contribution),
      output: (contribution) => port.output(contribution),
      send: (to, level, aggregate, individual, flags) => {
        port.send(to, level, aggregate, individual, flags);
        onFlow({ direction: 'sent', peer: this.#nameAt(to), level });
      },
      trace: (kind, level, peer, contribution) => {
        port.trace(kind, level, peer, contribution);
        if (kind === TraceKind.levelImproved) {
          this.#levels[level - 1]!.held = this.#round.scheme.weight(contribution);
          onProgress();
        } else if (kind === TraceKind.blacklisted) onLie(this.#nameAt(peer));
        else if (kind === TraceKind.refused) onRefused(this.#nameAt(peer), refusalName(contribution));
      },
    };
  }

  #nameAt(position: number): string {
    return this.#group.endpoints[this.#round.placement[position]!]!.host;
  }
}
