import { defaultHornParameters, type HornParameters, topicOfPlace } from '@tutti/core/horn';
import { type Bls, insecureSecretKey, insecureSeed } from '@tutti/wasm-bls';
import { networkKey } from '../src/channel/networkKey.ts';
import { nodeCrypto } from '../src/crypto/node.ts';
import { HornGroup } from '../src/horn/hornGroup.ts';
import { HornPeer, type HornPeerOptions, type HornReport } from '../src/horn/hornPeer.ts';
import { HornSlot } from '../src/horn/hornSlot.ts';
import { MemoryNetwork } from '../src/transport/memory.ts';
import type { Transport } from '../src/transport/transport.ts';
import { VirtualClock } from './virtualClock.ts';

export interface HornNodesOptions {
  readonly bls: Bls;
  readonly validators: number;
  readonly nodes: number;
  readonly committees: number;
  readonly subcommittees: number;
  readonly degree?: number;
  readonly seed?: number;
  /** Of each node; default: of one memory network. */
  readonly transports?: readonly Transport[];
  /** Nodes that do not run. */
  readonly dead?: readonly number[];
  /** What a node is given besides. */
  readonly more?: (node: number) => Partial<HornPeerOptions>;
}

/** A slot of real nodes in one process, by a virtual clock. */
export class HornNodes {
  readonly parameters: HornParameters;
  readonly group: HornGroup;
  readonly slot: HornSlot;
  readonly clock = new VirtualClock();
  readonly network = new MemoryNetwork();
  readonly peers: readonly HornPeer[];

  constructor(options: HornNodesOptions) {
    const { bls, validators, nodes, committees, subcommittees, degree = 4, seed = 1, dead = [], more } = options;
    const blockCollections = 2 * committees;
    const elected = { aggregators: 8, collectors: 8 };
    this.parameters = { ...defaultHornParameters, ...elected, validators, committees, subcommittees, blockCollections };
    const { transports = Array.from({ length: nodes }, () => this.network.open()) } = options;
    const secrets = transports.map((_, node) => insecureSeed('network', seed, node));
    const keys = Array.from({ length: validators }, (_, validator) => insecureSecretKey(bls, seed, validator));
    const entries = keys.map((key, validator) => {
      const node = Math.floor((validator * nodes) / validators);
      return {
        publicKey: bls.publicKey(key),
        networkKey: networkKey(nodeCrypto, secrets[node]!).publicKey,
        endpoint: transports[node]!.local,
      };
    });
    this.group = new HornGroup({ kernel: bls, entries, parameters: this.parameters, degree });
    this.slot = new HornSlot(this.group, { number: 1, message: new TextEncoder().encode('slot 1'), seed });
    this.peers = transports.flatMap((transport, node) =>
      dead.includes(node)
        ? []
        : new HornPeer({
            slot: this.slot,
            node,
            networkSecret: secrets[node]!,
            sign: (validator, message) => bls.sign(keys[validator]!, message),
            transport,
            clock: this.clock,
            ...more?.(node),
          }),
    );
  }

  /** Runs the slot, and whatever is under way when it ends. @param isIdle whether packets under way have come. */
  async run(isIdle: () => boolean = () => true): Promise<readonly HornReport[]> {
    for (const peer of this.peers) peer.start(0);
    await this.clock.run(() => this.peers.every((peer) => peer.isIdle) && isIdle());
    return this.peers.map((peer) => peer.report());
  }

  /** Whether all nodes on its topic have verified each message that was published, where no node is dead or lies. */
  get isComplete(): boolean {
    let missing = 0;
    for (const { node, published, verified } of this.peers.map((peer) => peer.report())) {
      missing -= verified.length;
      for (const { topic, author } of published)
        missing += topicOfPlace(this.slot.plan, topic, author).members.filter((member) => member !== node).length;
    }
    return missing === 0;
  }

  async close(): Promise<void> {
    await Promise.all(this.peers.map((peer) => peer.close()));
    this.slot.close();
  }
}
