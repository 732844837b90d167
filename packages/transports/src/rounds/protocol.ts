import {
  type Contribution,
  type Endpoint,
  type HandelConfig,
  HandelNode,
  levelMessages,
  type MessageForm,
  type Port,
  type ProtocolNode,
} from '@tutti/core';
import type { Channel } from '../channel/channel.ts';
import type { Transport } from '../transport/transport.ts';
import type { Round } from './round.ts';

/** A node's place in a round: all data that the node needs except its port. */
export interface NodePlace {
  /** Position in the overlay. */
  readonly id: number;
  readonly round: Round;
  /** The node's individual contribution. The node retains it. */
  readonly own: Contribution;
  /** Parameters of the peer. Protocols without levels use the threshold and the period. */
  readonly config: HandelConfig;
  /** Address of each registry entry. */
  readonly endpoints: readonly Endpoint[];
  /** Channel of the round's session. Only nodes that send packets without their port need it, such as adversaries. */
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
