import { defaultHornParameters, type HornParameters, topicOfPlace } from '@tutti/core/horn';
import { type Bls, insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { expect } from 'vitest';
import { networkKey } from '../src/channel/networkKey.ts';
import { nodeCrypto } from '../src/crypto/node.ts';
import { HornGroup } from '../src/horn/hornGroup.ts';
import { HornPeer, type HornPeerOptions, type HornReport } from '../src/horn/hornPeer.ts';
import { type HornBlock, HornSlot } from '../src/horn/hornSlot.ts';
import { SharedTransport } from '../src/rounds/sharedTransport.ts';
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
  /** Transport of each node in the slot. Default: a shared memory network. */
  readonly transports?: readonly Transport[];
  /** Further options of a node. */
  readonly more?: (node: number) => Partial<HornPeerOptions>;
}

interface OpenSlot {
  readonly slot: HornSlot;
  readonly peers: readonly HornPeer[];
}

/** Slots of real nodes in one process, on a virtual clock. The first slot is open from the start. */
export class HornNodes implements OpenSlot {
  readonly parameters: HornParameters;
  readonly group: HornGroup;
  readonly slot: HornSlot;
  readonly peers: readonly HornPeer[];
  readonly clock = new VirtualClock();
  readonly #options: HornNodesOptions;
  readonly #shared: readonly SharedTransport[];
  readonly #keys: readonly Uint8Array[];
  readonly #opened: OpenSlot[] = [];

  constructor(options: HornNodesOptions) {
    const { bls, validators, nodes, committees, subcommittees, degree = 4, seed = 1 } = options;
    const network = new MemoryNetwork();
    const blockCollections = 2 * committees;
    const elected = { aggregators: 8, collectors: 8 };
    this.parameters = { ...defaultHornParameters, ...elected, validators, committees, subcommittees, blockCollections };
    const { transports = Array.from({ length: nodes }, () => network.open()) } = options;
    this.#options = options;
    this.#shared = transports.map((transport) => new SharedTransport(transport));
    this.#keys = Array.from({ length: validators }, (_, validator) => insecureSecretKey(bls, seed, validator));
    const entries = this.#keys.map((key, validator) => {
      const node = Math.floor((validator * nodes) / validators);
      return {
        publicKey: bls.publicKey(key),
        networkKey: networkKey(nodeCrypto, insecureSeed('network', seed, node)).publicKey,
        endpoint: transports[node]!.local,
      };
    });
    this.group = new HornGroup({ kernel: bls, entries, parameters: this.parameters, degree });
    const { slot, peers } = this.open(1);
    this.slot = slot;
    this.peers = peers;
  }

  /** Opens a slot on the same transports. */
  open(number: number): OpenSlot {
    const { bls, seed = 1, more } = this.#options;
    const message = new TextEncoder().encode(`slot ${number}`);
    const slot = new HornSlot(this.group, { number, message, seed: seed + number - 1 });
    const peers = this.#shared.map(
      (shared, node) =>
        new HornPeer({
          slot,
          node,
          networkSecret: insecureSeed('network', seed, node),
          sign: (validator, message) => bls.sign(this.#keys[validator]!, message),
          transport: shared.open(slot.session),
          clock: this.clock,
          ...more?.(node),
        }),
    );
    this.#opened.push({ slot, peers });
    return { slot, peers };
  }

  /** Runs all started slots until nothing is in progress. @param isIdle whether all packets have arrived. */
  async run(isIdle: () => boolean = () => true): Promise<readonly HornReport[]> {
    for (const peer of this.peers) peer.start(0);
    await this.clock.run(() => this.#opened.every(({ peers }) => peers.every((peer) => peer.isIdle)) && isIdle());
    return this.peers.map((peer) => peer.report());
  }

  /** Whether all nodes on its topic have verified each message, in slots without Byzantine nodes. */
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
    for (const { slot, peers } of this.#opened) {
      await Promise.all(peers.map((peer) => peer.close()));
      slot.close();
    }
    await Promise.all(this.#shared.map((shared) => shared.close()));
  }
}

/** Replaces the last signature of a message by a valid one of another key. */
export const wrongSignature = (bls: Bls) => (bytes: Uint8Array) => {
  const wrong = bls.sign(bls.keyGen(new Uint8Array(32).fill(3)), bytes);
  return Uint8Array.of(...bytes.subarray(0, bytes.length - wrong.length), ...wrong);
};

const noble = await loadBls({ engine: 'noble' });

/** Returns the places whose votes the collections contain, after a check of each signature with noble-curves. */
export function votersOf(
  collections: HornBlock['collections'],
  message: Uint8Array,
  keyAt: (place: number) => Uint8Array,
): Set<number> {
  const voters = new Set<number>();
  for (const { first, bits, signature } of collections) {
    const places = Array.from({ length: 8 * bits.length }, (_, bit) => first + bit).filter(
      (place) => (bits[(place - first) >> 3]! >> ((place - first) & 7)) & 1,
    );
    expect(noble.fastAggregateVerify(places.map(keyAt), message, signature)).toBe(true);
    for (const place of places) voters.add(place);
  }
  return voters;
}
