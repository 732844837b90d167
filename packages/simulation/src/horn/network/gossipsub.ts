import { integers, requireIn, requireInteger, requireNumber } from '@tutti/core/internal';

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

/**
 * Ethereum's values (consensus-specs, phase0/p2p-interface.md: D 8, D_low 6, D_high 12, D_lazy 6, heartbeat 0.7 s,
 * mcache_gossip 3, message ids of 20 bytes). The threshold of IDONTWANT is rust-libp2p's default, 1000 bytes, and so
 * are the waits (forward_queue_duration 1 s, publish_queue_duration 5 s; go-libp2p's queues are bounded by the messages
 * of a peer instead, Prysm has 600). The frames are estimated: 2 and 60 bytes of RPC and topic name, 12 of stream and
 * 16 of encryption, 40 of TCP and IP.
 */
export const ethereumGossipsub: GossipsubParameters = {
  d: 8,
  dLow: 6,
  dHigh: 12,
  dLazy: 6,
  heartbeatMs: 700,
  historyGossip: 3,
  idontwantBytes: 1000,
  forwardWaitMs: 1000,
  publishWaitMs: 5000,
  overheadBytes: 130,
  idBytes: 22,
};

/** Bytes around a message on the wire. */
export const overheadRange = integers(0, 4096);

/** @throws RangeError naming the parameter. */
export function checkGossipsub(parameters: GossipsubParameters): void {
  requireInteger('d', parameters.d, 1, 64);
  requireInteger('dLow', parameters.dLow, 1, parameters.d);
  requireInteger('dHigh', parameters.dHigh, parameters.d, 128);
  requireInteger('dLazy', parameters.dLazy, 0, 128);
  requireNumber('heartbeatMs', parameters.heartbeatMs, 1, 60_000);
  requireInteger('historyGossip', parameters.historyGossip, 1, 16);
  if (parameters.idontwantBytes !== undefined) requireInteger('idontwantBytes', parameters.idontwantBytes, 0, 2 ** 24);
  for (const name of ['forwardWaitMs', 'publishWaitMs'] as const) {
    if (parameters[name] !== undefined) requireNumber(name, parameters[name], 0, 600_000);
  }
  requireIn('overheadBytes', parameters.overheadBytes, overheadRange);
  requireInteger('idBytes', parameters.idBytes, 0, 256);
  if (parameters.fanout !== undefined) requireInteger('fanout', parameters.fanout, 1, 64);
  requireNumber('lostShare', parameters.lostShare ?? 0, 0, 1);
  if (parameters.windowBytes !== undefined) requireInteger('windowBytes', parameters.windowBytes, 1, 2 ** 24);
  if (parameters.bundles === undefined) return;
  const { tickMs, most, dataBytes, voteBytes, idBytes } = parameters.bundles;
  requireNumber('bundles.tickMs', tickMs, 0.1, 10_000);
  requireInteger('bundles.most', most, 1, 65_536);
  for (const [name, bytes] of Object.entries({ dataBytes, voteBytes, idBytes }))
    requireInteger(`bundles.${name}`, bytes, 0, 65_536);
}
