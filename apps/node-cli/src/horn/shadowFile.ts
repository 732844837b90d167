import { expected } from '@tutti/core/settings';
import type { MeshExperiment } from '@tutti/ethereum';
import { type Bundles, ethereumGossipsub } from '@tutti/ethereum';
import { parse } from 'yaml';

type Fields = Readonly<Record<string, unknown>>;

/** One of a file's simulations. */
export interface NamedExperiment {
  readonly name: string;
  readonly experiment: MeshExperiment;
}

/** Links of their topology: 1024/1024 Mbps, and 50 down and 25 up. */
const links = { superMbps: [1024, 1024], homeMbps: [50, 25] } as const;

/**
 * Reads a configuration of simctl, the driver of EIP-8334's authors for Shadow: of sukunrt/batched-attestation-sim an
 * experiment of attestations, a single simulation of them, or one large message; of sukunrt/eth-slot-sim a block, or a
 * round of finality votes. What it says of processes and logs is
 * passed over; what would be run otherwise than it says is refused.
 *
 * @throws RangeError naming the field, what was expected and what came.
 */
export function readShadowFile(text: string, network: string): NamedExperiment[] {
  const file = fieldsOf('the file', parsed(text));
  if (file.algorithm !== undefined) return [blockOf(file, network)];
  if (file.block_size !== undefined) return [slotOf(file, network)];
  const single = file.simulation === undefined ? undefined : fieldsOf('simulation', file.simulation);
  const topology = fieldsOf('topology', single?.topology ?? file.topology);
  const simulations = single === undefined ? file.simulations : [single];
  if (!Array.isArray(simulations) || simulations.length === 0)
    throw new RangeError(expected('simulations', 'a list of simulations', simulations));
  return simulations.map((one) => attestationsOf(topology, fieldsOf('simulations', one), network));
}

function parsed(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 0 });
  } catch {
    throw new RangeError(expected('the file', 'YAML', text.slice(0, 40)));
  }
}

function attestationsOf(topology: Fields, simulation: Fields, network: string): NamedExperiment {
  refuseOthers(simulation, ['supernode_d', 'homenode_d', 'use_attprop']);
  // Those of bundles that are short of room go in the order in which they came here, not the rarest first.
  const isCapped = simulation.partial_priority === true;
  const isBundled = isCapped || simulation.use_partial_messages === true;
  const bytes = numberOf(simulation, 'attestation_data_size', 128) + numberOf(simulation, 'signature_size', 96);
  const d = gossipOf(simulation);
  return {
    name: isCapped ? 'small bundles' : isBundled ? 'bundles' : 'classic',
    experiment: {
      ...meshOf(topology, network),
      topics: numberOf(simulation, 'num_topics', 1),
      publishers: numberOf(topology, 'fanout_nodes_per_topic', 0),
      slots: numberOf(simulation, 'num_slots', 12),
      slotMs: 1000 * numberOf(simulation, 'slot_duration_seconds', 12),
      // A bundle by itself is its hash of the data, and a vote of a signature and its place in the committee.
      messageBytes: isBundled ? 136 : bytes,
      gossip: {
        ...d,
        fanout: numberOf(topology, 'fanout_node_mesh_peers', 1),
        ...(simulation.disable_ihave_gossip === true && { dLazy: 0 }),
        ...(isBundled && { bundles: theirBundles(simulation) }),
      },
      ...checksOf(simulation),
      // Their arrivals are logged when a vote is verified, those of bundles when it has come.
      byReceipt: isBundled,
    },
  };
}

/** Their window is the least time from one batch to the next: it says nothing where a batch takes as long. */
function checksOf(simulation: Fields) {
  const batchMs = numberOf(simulation, 'attestation_validation_delay_ms', 5);
  const windowMs = numberOf(simulation, 'validation_batch_window_ms', 5);
  if (windowMs > batchMs)
    throw new RangeError(
      expected('validation_batch_window_ms', `at most attestation_validation_delay_ms, ${batchMs}`, windowMs),
    );
  return { batchMs, eachUs: numberOf(simulation, 'per_attestation_validation_us', 100) };
}

function blockOf(file: Fields, network: string): NamedExperiment {
  const { name } = fieldsOf('algorithm', file.algorithm);
  if (name !== 'gossipsub') throw new RangeError(expected('algorithm.name', 'gossipsub', name));
  const simulation = fieldsOf('simulation', file.simulation);
  return {
    name: 'block',
    experiment: {
      ...meshOf(fieldsOf('topology', file.topology), network),
      ...{ topics: 1, publishers: 0, batchMs: 0, eachUs: 0 },
      slots: numberOf(simulation, 'num_messages', 1),
      slotMs: 1000 * numberOf(simulation, 'publish_wait_seconds', 10),
      messageBytes: numberOf(simulation, 'message_size', 100_000),
      gossip: { ...ethereumGossipsub, forwardWaitMs: undefined, publishWaitMs: undefined },
    },
  };
}

/** Their default: batches of 300, or what waits; 10 ms and 10 us a vote (ladder-results.md@0806db6). */
const slotChecks = { batch: 300, batchMs: 10, eachUs: 10 } as const;

/**
 * A slot of eth-slot-sim: its block alone, or the votes of one subnet of a round of finality, without the block, the
 * columns and the other subnets beside it.
 *
 * Every node is on one of the subnets, and its aggregators come to it (decoupled-consensus-spec.md, sections 4 and 5:
 * 116 receivers a vote in results/ladder). Peers on it are those of its tree, two in the mean, and whom chance has put
 * among a node's peers, 1.26 times `degree`: each calls others until it has so many, and later ones call it. Its voters
 * are not on it: they send their votes to two members that they have called and to those that chance gave them. A
 * hundred validators a node is what `tiered` comes to (b5d5baf: 409,785 on 4,000).
 */
function slotOf(file: Fields, network: string): NamedExperiment {
  const topology = fieldsOf('topology', file.topology);
  const mesh = meshOf(topology, network);
  const gossip = gossipOf({ gossipsub_params: file.gossipsub });
  const shared = {
    ...mesh,
    topics: 1,
    publishers: 0,
    slots: numberOf(file, 'num_slots', 1),
    slotMs: 1000 * numberOf(file, 'slot_duration_seconds', 12),
    gossip,
  };
  const decoupled =
    file.decoupled_consensus === undefined ? {} : fieldsOf('decoupled_consensus', file.decoupled_consensus);
  const attestation = fieldsOf('attestation', file.attestation ?? {});
  if (decoupled.enabled !== true) {
    refuseOthers(attestation, ['enabled']);
    const block = { messageBytes: numberOf(file, 'block_size', 0), eachUs: 0 };
    return { name: 'block', experiment: { ...shared, ...block, batchMs: numberOf(file, 'verify_delay_ms', 0) } };
  }
  if (decoupled.validator_segregation !== true)
    throw new RangeError(expected('validator_segregation', 'true', decoupled.validator_segregation));
  const subnets = numberOf(decoupled, 'fs_subnets', 1);
  const members = Math.round(mesh.nodes / subnets) + numberOf(decoupled, 'fs_aggregators', 16);
  const peers = 2 + Math.round((1.26 * numberOf(topology, 'degree', 8) * members) / mesh.nodes);
  const [d, dLow, dHigh] = [gossip.d, gossip.dLow, gossip.dHigh].map((most) => Math.min(most, peers));
  const isBundled = attestation.transport === 'partial';
  return {
    name: isBundled ? 'finality votes in bundles' : 'finality votes',
    experiment: {
      ...shared,
      nodes: members,
      publishers: Math.round(
        (validatorsOfNode * mesh.nodes) / numberOf(decoupled, 'ac_slots_per_finality_slot', 1) / subnets,
      ),
      messageBytes: finalityVoteBytes,
      gossip: {
        ...gossip,
        ...{ d: d!, dLow: dLow!, dHigh: dHigh! + 2, fanout: peers },
        // Data are sent with each bundle, a vote is its signature and its place in the committee.
        ...(isBundled && { bundles: { ...theirBundles({}), dataBytes: 128 } }),
      },
      ...slotChecks,
    },
  };
}

/** Their `tiered`: a log-normal mean of 200 on the half with the better links, and on the others five. */
const validatorsOfNode = 102.5;

const finalityVoteBytes = 226;

/** Of a simulation, its bundles: data are sent once and then their hash, and places in a committee for indices. */
function theirBundles(simulation: Fields): Bundles {
  return {
    tickMs: numberOf(simulation, 'publish_interval_ms', 20),
    most: numberOf(simulation, 'max_attestations_per_message', 65_536) || 65_536,
    ...{ dataBytes: 36, voteBytes: 100, idBytes: 4 },
  };
}

function meshOf(topology: Fields, network: string) {
  refuseOthers(topology, ['file']);
  if ((topology.type ?? 'random') !== 'random')
    throw new RangeError(expected('topology.type', 'random', topology.type));
  return {
    nodes: numberOf(topology, 'num_nodes', 10),
    superShare: numberOf(topology, 'super_node_fraction', 0),
    ...links,
    network,
    seed: numberOf(topology, 'seed', 42),
  };
}

/** Without send timeouts: their peers have queues of a thousand messages. */
function gossipOf(simulation: Fields) {
  const given =
    simulation.gossipsub_params === undefined ? {} : fieldsOf('gossipsub_params', simulation.gossipsub_params);
  return {
    ...ethereumGossipsub,
    d: numberOf(given, 'D', 8),
    dLow: numberOf(given, 'Dlow', 6),
    dHigh: numberOf(given, 'Dhigh', 12),
    forwardWaitMs: undefined,
    publishWaitMs: undefined,
  };
}

/** What changes a run and is not run here. */
function refuseOthers(fields: Fields, names: readonly string[]): void {
  const name = names.find((one) => fields[one] !== undefined && fields[one] !== false && fields[one] !== null);
  if (name !== undefined) throw new RangeError(expected(name, 'not there, for it is not played here', fields[name]));
}

function fieldsOf(label: string, value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError(expected(label, 'fields with values', value ?? null));
  return value as Fields;
}

function numberOf(fields: Fields, name: string, otherwise: number): number {
  const value = fields[name] ?? otherwise;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new RangeError(expected(name, 'a number', value));
  return value;
}
