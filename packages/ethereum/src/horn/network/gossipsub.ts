import {
  defaultsOf,
  durations,
  integers,
  onOff,
  requireAllIn,
  requireIn,
  requireKnownFields,
  type SettingsOf,
  type SparseSettingsOf,
  shares,
} from '@tutti/core/input';

/**
 * Bundles of votes that are sent to mesh peers together (EIP-8334). Default: each verified vote is sent immediately.
 */
export interface Bundles {
  /** Interval between two bundles of a node, ms. */
  readonly tickMs: number;
  /** Maximum number of votes in a bundle. */
  readonly maxVotes: number;
  /** Length of a bundle without votes, bytes. */
  readonly dataBytes: number;
  /** Length of each vote in a bundle, bytes. */
  readonly voteBytes: number;
  /** Length of an announced vote, bytes. */
  readonly idBytes: number;
}

/** Parameters of gossipsub, with the names of its specification. */
export interface GossipsubParameters {
  readonly d: number;
  readonly dLow: number;
  readonly dHigh: number;
  /** Minimum number of peers outside the mesh to which a node announces messages at a heartbeat. */
  readonly dLazy: number;
  readonly heartbeatMs: number;
  /** Number of heartbeats for which a message is announced (IHAVE). */
  readonly historyGossip: number;
  /** Minimum length of messages that a node announces as unwanted (IDONTWANT), bytes; undefined for never. */
  readonly idontwantBytes: number | undefined;
  /**
   * Maximum time that a copy of a forwarded message waits for links before it is dropped, ms; undefined for no limit.
   */
  readonly forwardWaitMs: number | undefined;
  /** Maximum time that a copy of a node's own message waits before it is dropped, ms; undefined for no limit. */
  readonly publishWaitMs: number | undefined;
  /**
   * Estimated overhead, in bytes, of a message on the wire: headers, and the framing of RPC, topic, stream and
   * encryption.
   */
  readonly overheadBytes: number;
  /** Length of a message's identifier in IHAVE, IWANT and IDONTWANT, with its framing, bytes. */
  readonly idBytes: number;
  readonly bundles?: Bundles;
  /** Number of peers on a topic to which a node outside the topic publishes. Default: D. */
  readonly fanout?: number;
  /**
   * Whether the copies of a message are sent in parallel, each on its own connection. The sender is then free when all
   * copies have been sent. Copies passed on receipt or publication then ignore `forwardWaitMs`, `publishWaitMs` and the
   * receivers' flow control. Default: false, one copy after the other.
   */
  readonly sharesUpload?: boolean;
  /** Initial window of a connection for each copy, bytes; the window doubles per round trip. Default: unlimited. */
  readonly windowBytes?: number;
  /** Share of the sent copies that never arrive, for example because a peer's queue is full. Default: 0. */
  readonly lostShare?: number;
}

/** Range of the lengths of parts of a bundle, bytes. */
const bundleBytes = integers(0, 65_536);

/** EIP-8334's value, the range and the description of each field of bundles. */
const bundleSettings: SettingsOf<Bundles> = {
  tickMs: { default: 20, range: durations(0.1, 10_000), about: 'interval at which a node forwards verified votes' },
  maxVotes: { default: 50, range: integers(1, 65_536), about: 'maximum number of votes per bundle' },
  dataBytes: { default: 144, range: bundleBytes, about: 'size of a bundle without votes' },
  voteBytes: { default: 104, range: bundleBytes, about: 'size of each vote in a bundle' },
  idBytes: { default: 8, range: bundleBytes, about: 'size of an announced vote' },
};
export const eip8334Bundles: Bundles = defaultsOf(bundleSettings);

const meshes = integers(1, 64);
const fullMeshes = integers(1, 128);

/** Range of the times that a copy waits for links, ms. */
const waits = durations(0, 600_000);

/**
 * Ethereum's value, the range and the description of each parameter (consensus-specs, phase0/p2p-interface.md: D 8,
 * D_low 6, D_high 12, D_lazy 6, heartbeat 0.7 s, mcache_gossip 3, message ids of 20 bytes). The threshold of IDONTWANT
 * is rust-libp2p's default, 1,000 bytes. The waiting times are also rust-libp2p's (forward_queue_duration 1 s,
 * publish_queue_duration 5 s). Queues of go-libp2p are limited by the number of messages per peer instead; Prysm's
 * limit is 600. The framing is estimated: 2 and 60 bytes of RPC and topic name, 12 of stream and 16 of encryption, 40
 * of TCP and IP.
 */
export const gossipSettings: SparseSettingsOf<GossipsubParameters> = {
  d: { default: 8, range: meshes, about: 'target number of mesh peers' },
  dLow: { default: 6, range: meshes, about: 'minimum number of mesh peers, up to D' },
  dHigh: { default: 12, range: fullMeshes, about: 'maximum number of mesh peers, at least D' },
  dLazy: { default: 6, range: integers(0, 128), about: 'peers outside the mesh that receive announcements' },
  heartbeatMs: { default: 700, range: durations(1, 60_000), about: 'time between heartbeats' },
  historyGossip: { default: 3, range: integers(1, 16), about: 'number of heartbeats for which a message is announced' },
  idontwantBytes: {
    default: 1000,
    range: integers(0, 2 ** 24),
    about: 'minimum size of a message for which IDONTWANT is sent',
    isOptional: true,
  },
  forwardWaitMs: { default: 1000, range: waits, about: 'maximum wait of a forwarded message', isOptional: true },
  publishWaitMs: { default: 5000, range: waits, about: "maximum wait of a node's own messages", isOptional: true },
  overheadBytes: { default: 130, range: integers(0, 4096), about: 'overhead of a message on the wire' },
  idBytes: { default: 22, range: integers(0, 256), about: 'size of a message identifier, with its framing' },
  fanout: {
    default: undefined,
    range: meshes,
    about: 'number of peers to which a non-member of a topic publishes',
    isOptional: true,
  },
  lostShare: { default: undefined, range: shares, about: 'share of lost copies', isOptional: true },
  windowBytes: {
    default: undefined,
    range: integers(1, 2 ** 24),
    about: 'initial congestion window of a copy',
    isOptional: true,
  },
  sharesUpload: { default: undefined, range: onOff, about: 'copies are sent in parallel', isOptional: true },
  bundles: {
    default: undefined,
    range: { kind: 'own', validate: validateBundles },
    about: 'votes are sent to mesh peers in bundles',
    isOptional: true,
  },
};
/** Default parameters: those of Ethereum's consensus specification. */
export const ethereumGossipsub: GossipsubParameters = defaultsOf<GossipsubParameters>(gossipSettings);

function validateBundles(label: string, bundles: Bundles): void {
  requireKnownFields(label, bundles, Object.keys(bundleSettings));
  requireAllIn(bundles, bundleSettings, label);
}

/** Checks parameters. @throws RangeError that names the parameter; TypeError for another value or an unknown field. */
export function validateGossipsub(parameters: GossipsubParameters): void {
  requireKnownFields('gossip', parameters, Object.keys(gossipSettings));
  requireAllIn(parameters, gossipSettings);
  const { d, dLow, dHigh } = parameters;
  requireIn('dLow', dLow, { ...meshes, max: d });
  requireIn('dHigh', dHigh, { ...fullMeshes, min: d });
}
