import {
  type Contribution,
  type Endpoint,
  encodeMessage,
  ForwardingPort,
  type HandelConfig,
  HandelNode,
  levelMessages,
  type Message,
  type MessageForm,
  noContribution,
  type Port,
  type ProtocolNode,
} from '@tutti/core';
import { writeUint } from '@tutti/core/input';
import { type Channel, receiverAt, senderAt } from '../channel/channel.ts';
import { splitMessage } from '../channel/fragments.ts';
import type { Transport } from '../transport/transport.ts';
import type { Round } from './group.ts';

/** Data that a node needs in a round, except its port. */
export interface NodePlace {
  /** Position in the overlay. */
  readonly id: number;
  readonly round: Round;
  /** The node's individual contribution. The node retains this contribution. */
  readonly own: Contribution;
  /** Parameters of the peer. Protocols without levels use the threshold and the period. */
  readonly config: HandelConfig;
  /** Address of each registry entry. */
  readonly endpoints: readonly Endpoint[];
  /**
   * Channel of the round's session. Only nodes that bypass their port to send packets, such as adversaries, need the
   * channel.
   */
  readonly channel: Channel;
  readonly transport: Transport;
}

/** The protocol that a peer runs in its rounds. */
export interface RoundProtocol {
  readonly messages: MessageForm;
  /** Creates the node of a round. Called once per round. */
  createNode(place: NodePlace, port: Port): ProtocolNode;
}

/** Handel, the default. */
export const handelProtocol: RoundProtocol = {
  messages: levelMessages,
  createNode({ id, round, own, config }, port) {
    const { scheme, priorities, quorum } = round;
    return new HandelNode({ id, config, scheme, priorities, quorum, own, port });
  },
};

/** Format version of a message; see `encodeMessage`. */
const formatVersion = 1;

/**
 * Port of a Byzantine node on real sockets, for demonstrations and tests. The port has only the node's own keys, and
 * uses them even for messages in another node's name. The port ignores the node's outputs, rejections and traces.
 */
export class HostilePort extends ForwardingPort {
  readonly #place: NodePlace;
  readonly #messages: MessageForm;

  constructor(place: NodePlace, port: Port, messages: MessageForm) {
    super(port);
    this.#place = place;
    this.#messages = messages;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    // The encoder requires an aggregate, so a message without an aggregate is sent as a bare header.
    if (aggregate === noContribution) this.sendBytes(to, Uint8Array.of(formatVersion, level, flags));
    else super.send(to, level, aggregate, individual, flags);
  }

  /** Sends a message in the name of `from`, another node. The receiver's channel rejects the packet as `forged`. */
  sendAs({ from, to, level, aggregate, individual, flags }: Message): void {
    const { round } = this.#place;
    const message = encodeMessage(round.scheme, level, aggregate, individual, flags, this.#messages);
    this.#sendSealed(to, message, (packet) => writeUint(packet, senderAt, receiverAt, round.placement[from]!));
  }

  /** Sends arbitrary bytes in genuine packets of the node. */
  sendBytes(to: number, bytes: Uint8Array): void {
    this.#sendSealed(to, bytes, () => {});
  }

  #sendSealed(to: number, message: Uint8Array, alter: (packet: Uint8Array) => void): void {
    const { round, channel, endpoints, transport } = this.#place;
    const peer = round.placement[to]!;
    for (const payload of splitMessage(message, channel.maxPayloadBytes, channel.nextNumber(peer))) {
      const packet = channel.seal(peer, payload);
      alter(packet);
      transport.send(endpoints[peer]!, packet);
    }
  }

  override output(): void {}

  override refuse(): void {}

  override trace(): void {}
}
