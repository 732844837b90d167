import {
  defaultsOf,
  durations,
  integers,
  onOff,
  requireAllIn,
  requireIn,
  requireObject,
  type SettingsOf,
  type SparseSettingsOf,
  shares,
} from '@tutti/core/internal';

/** Votes that go to mesh peers together (EIP-8334); without, each goes by itself as soon as it is verified. */
export interface Bundles {
  /** How often a node passes on what it has verified since, ms. */
  readonly tickMs: number;
  /** Votes of a bundle, at most. */
  readonly most: number;
  /** Bytes of a bundle without votes, of each vote in it, and of one that is told of. */
  readonly dataBytes: number;
  readonly voteBytes: number;
  readonly idBytes: number;
}

/** Gossipsub's parameters, named as in its specification. */
export interface GossipsubParameters {
  readonly d: number;
  readonly dLow: number;
  readonly dHigh: number;
  /** Peers outside of the mesh that hear of messages at a heartbeat, at least. */
  readonly dLazy: number;
  readonly heartbeatMs: number;
  /** Heartbeats for which a message is told of (IHAVE). */
  readonly historyGossip: number;
  /** Messages of more bytes are told to be superfluous as soon as they are there (IDONTWANT); undefined for never. */
  readonly idontwantBytes: number | undefined;
  /**
   * For how long a copy waits for its sender's upload and its receiver's download before it is dropped: of what a node
   * passes on, and of its own; undefined forever.
   */
  readonly forwardWaitMs: number | undefined;
  readonly publishWaitMs: number | undefined;
  /**
   * What a message has around it on the wire: RPC framing with the topic's name, stream and encryption framing, IP and
   * TCP headers; estimated.
   */
  readonly overheadBytes: number;
  /** A message's identifier in IHAVE, IWANT and IDONTWANT, with its framing. */
  readonly idBytes: number;
  readonly bundles?: Bundles;
  /** Peers on a topic to which a node that is not on it publishes. Default: D. */
  readonly fanout?: number;
  /**
   * Whether a message's copies leave side by side, as on as many connections: each is through when all are. Default:
   * false, one after another.
   */
  readonly sharesUpload?: boolean;
  /**
   * Bytes that a connection may have on its way when a copy begins; twice as many each time there and back (slow
   * start). Default: any.
   */
  readonly windowBytes?: number;
  /** Share of the copies that leave and never come, as where a peer's queue is full. Default: 0. */
  readonly lostShare?: number;
}

/** Bytes of a part of a bundle. */
const bundleBytes = integers(0, 65_536);

/** Each field of bundles: EIP-8334's value, its range and what it is. */
const bundleSettings: SettingsOf<Bundles> = {
  tickMs: { default: 20, range: durations(0.1, 10_000), about: 'how often a node passes on what it has verified' },
  most: { default: 50, range: integers(1, 65_536), about: 'votes of a bundle' },
  dataBytes: { default: 144, range: bundleBytes, about: 'a bundle without votes' },
  voteBytes: { default: 104, range: bundleBytes, about: 'each vote in it' },
  idBytes: { default: 8, range: bundleBytes, about: 'a vote that is told of' },
};
export const eip8334Bundles: Bundles = defaultsOf(bundleSettings);

const meshes = integers(1, 64);
const fullMeshes = integers(1, 128);

/** For how long a copy waits for links. */
const waits = durations(0, 600_000);

/**
 * Each parameter: Ethereum's value, its range and what it is (consensus-specs, phase0/p2p-interface.md: D 8, D_low 6,
 * D_high 12, D_lazy 6, heartbeat 0.7 s, mcache_gossip 3, message ids of 20 bytes). The threshold of IDONTWANT is
 * rust-libp2p's default, 1000 bytes, and so are the waits (forward_queue_duration 1 s, publish_queue_duration 5 s; go-libp2p's queues are bounded by the messages
 * of a peer instead, Prysm has 600). The frames are estimated: 2 and 60 bytes of RPC and topic name, 12 of stream and
 * 16 of encryption, 40 of TCP and IP.
 */
export const gossipSettings: SparseSettingsOf<GossipsubParameters> = {
  d: { default: 8, range: meshes, about: 'peers in a mesh' },
  dLow: { default: 6, range: meshes, about: 'peers in a mesh at least, up to D' },
  dHigh: { default: 12, range: fullMeshes, about: 'peers in a mesh at most, from D on' },
  dLazy: { default: 6, range: integers(0, 128), about: 'peers outside of the mesh that hear of messages' },
  heartbeatMs: { default: 700, range: durations(1, 60_000), about: 'time between heartbeats' },
  historyGossip: { default: 3, range: integers(1, 16), about: 'heartbeats for which a message is told of' },
  idontwantBytes: {
    default: 1000,
    range: integers(0, 2 ** 24),
    about: 'messages of more are told to be superfluous',
    isOptional: true,
  },
  forwardWaitMs: { default: 1000, range: waits, about: 'for how long what is passed on waits', isOptional: true },
  publishWaitMs: { default: 5000, range: waits, about: "for how long a node's own messages wait", isOptional: true },
  overheadBytes: { default: 130, range: integers(0, 4096), about: 'what a message has around it on the wire' },
  idBytes: { default: 22, range: integers(0, 256), about: 'an identifier of a message, with its framing' },
  fanout: {
    default: undefined,
    range: integers(1, 64),
    about: 'peers on a topic to which a node that is not on it publishes',
    isOptional: true,
  },
  lostShare: { default: undefined, range: shares, about: 'share of the copies that never come', isOptional: true },
  windowBytes: {
    default: undefined,
    range: integers(1, 2 ** 24),
    about: 'bytes on their way when a copy begins',
    isOptional: true,
  },
  sharesUpload: { default: undefined, range: onOff, about: 'copies leave side by side', isOptional: true },
  bundles: {
    default: undefined,
    range: { kind: 'own', validate: (label, bundles) => requireAllIn(bundles, bundleSettings, label) },
    about: 'votes go to mesh peers together',
    isOptional: true,
  },
};
export const ethereumGossipsub: GossipsubParameters = defaultsOf<GossipsubParameters>(gossipSettings);

/** @throws RangeError naming the parameter; TypeError for anything but an object. */
export function validateGossipsub(parameters: GossipsubParameters): void {
  requireObject('gossip', parameters);
  const { d, dLow, dHigh } = parameters;
  requireIn('d', d, meshes);
  requireIn('dLow', dLow, { ...meshes, most: d });
  requireIn('dHigh', dHigh, { ...fullMeshes, least: d });
  requireAllIn(parameters, gossipSettings);
}
