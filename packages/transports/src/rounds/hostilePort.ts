import {
  type Contribution,
  encodeMessage,
  ForwardingPort,
  type MessageForm,
  noContribution,
  type Port,
} from '@tutti/core';
import { writeUint } from '@tutti/core/input';
import { senderAt, senderEnd } from '../channel/channel.ts';
import { splitMessage } from '../channel/fragments.ts';
import type { NodePlace } from './protocol.ts';

/**
 * Port of a Byzantine node on real sockets, for demonstrations and tests. It has only the node's own keys, and seals
 * messages in another node's name with them. It ignores outputs, rejections and traces of the node.
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
    // The encoder requires an aggregate, so a message without one is sent as a bare header.
    if (aggregate === noContribution) this.sendBytes(to, Uint8Array.of(1, level, flags));
    else super.send(to, level, aggregate, individual, flags);
  }

  /** Sends in another node's name. The receiver's channel rejects the packet as `forged`. */
  sendAs(
    claimed: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    const { round } = this.#place;
    const message = encodeMessage(round.scheme, level, aggregate, individual, flags, this.#messages);
    this.#sendSealed(to, message, (packet) => writeUint(packet, senderAt, senderEnd, round.placement[claimed]!));
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
