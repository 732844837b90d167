import { GossipRun } from './gossipRun.ts';
import type { GossipMessage } from './gossipState.ts';
import { batchCostsOf } from './messageKinds.ts';
import type { NetworkWorld } from './networkWorld.ts';
import type { Layer } from './slotRun.ts';

/** Called when a node has verified a message. The time is in µs since the first slot began. */
export type OnVerified = (node: number, atUs: number) => void;

/** All nodes and topics of a world, on which every message of consecutive slots is simulated. */
export class TopicNetwork {
  readonly world: NetworkWorld;
  readonly run: GossipRun;
  readonly allNodes: Int32Array;
  /** Numbers of the topics in the run, by layer. */
  readonly topics: Readonly<Record<Layer, readonly number[]>>;
  /** Handlers of verified messages, by message. */
  readonly #onVerified: OnVerified[] = [];
  /** Handlers of actions, by number. */
  readonly #actions: (() => void)[] = [];

  constructor(world: NetworkWorld) {
    const { scenario, classOf, clients } = world;
    const { nodes, gossip, client, seed } = scenario;
    this.world = world;
    this.allNodes = Int32Array.from({ length: nodes }, (_, node) => node);
    const run = new GossipRun(
      {
        nodes: {
          up: Float64Array.from(classOf, (of) => world.up[of]!),
          down: Float64Array.from(classOf, (of) => world.down[of]!),
          load: new Float64Array(nodes).fill(1),
          clients,
        },
        network: world.network(this.allNodes),
        gossip,
        client,
        costs: batchCostsOf(world),
        isPlain: world.post !== undefined,
      },
      seed,
    );
    this.topics = {
      subnets: world.subnets.map((members) => run.addTopic(members)),
      committees: world.committeeTopics.map((members) => run.addTopic(members)),
      global: [run.addTopic(world.post?.present ?? this.allNodes)],
    };
    run.onVerified = (message, node, atUs) => this.#onVerified[message]!(node, atUs);
    run.onAct = (action) => this.#actions[action]!();
    this.run = run;
  }

  /**
   * Publishes a message of the validator at a place.
   *
   * @returns the message's number.
   */
  publish(atUs: number, place: number, message: GossipMessage, onVerified: OnVerified): number {
    const number = this.run.publish(atUs, this.world.nodeAt[place]!, message);
    this.#onVerified[number] = onVerified;
    return number;
  }

  /** Schedules a call. */
  at(atUs: number, act: () => void): void {
    this.run.at(atUs, this.#actions.push(act) - 1);
  }
}
