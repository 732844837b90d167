import { expected, isObject } from '@tutti/core/input';
import { type Bundles, ethereumGossipsub, type MeshExperiment } from '@tutti/ethereum';
import { checkFields, readSettings, requireFields } from '../files/settingsText.ts';
import { blockFields, experimentFields, finalityFields, messageFields, singleFields } from './shadowFields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One simulation in a file, with its name. */
interface NamedExperiment {
  readonly name: string;
  readonly experiment: MeshExperiment;
}

/** Link bandwidths of the original topology, download and upload, Mbps: 1024 and 1024, or 50 and 25. */
const links = { superMbps: [1024, 1024], homeMbps: [50, 25] } as const;

/** Simulations in a file, and the fields of the file that Tutti ignores. */
interface ShadowFile {
  readonly experiments: readonly NamedExperiment[];
  readonly ignored: readonly string[];
}

/**
 * Reads a configuration of simctl, the driver with which the authors of EIP-8334 run Shadow. Configurations of
 * sukunrt/batched-attestation-sim describe an experiment with attestations, a single simulation of attestations, or one
 * large message. Configurations of sukunrt/eth-slot-sim describe a block or a round of finality votes. The tables in
 * shadowFields.ts specify which fields are used, ignored or refused.
 *
 * @throws RangeError with the field, the expected value and the actual value.
 */
export function readShadowFile(text: string, network: string): ShadowFile {
  const file = readSettings('YAML', text);
  requireFields('the file', file);
  const { table, format, read } = formatOf(file);
  const ignored = checkFields(format, table, file);
  return { experiments: read(file, network), ignored };
}

/** Top-level fields that exist only in configurations of eth-slot-sim. */
const slotFields = [
  'block_size',
  'num_slots',
  'gossipsub',
  'attestation',
  'data_columns',
  'decoupled_consensus',
  'epbs',
];

function formatOf(file: Fields) {
  if (file.algorithm !== undefined)
    return { table: messageFields, format: "simctl's configuration for a message", read: messageOf };
  if (file.simulation !== undefined)
    return { table: singleFields, format: "simctl's configuration for a simulation", read: singleOf };
  if (!slotFields.some((field) => file[field] !== undefined))
    return { table: experimentFields, format: "simctl's configuration for an experiment", read: experimentOf };
  const isDecoupled = isObject(file.decoupled_consensus) && booleanOf(file.decoupled_consensus, 'enabled', true);
  return isDecoupled
    ? { table: finalityFields, format: "simctl's configuration for finality votes", read: finalityVotesOf }
    : { table: blockFields, format: "simctl's configuration for a slot", read: slotBlockOf };
}

function experimentOf({ topology, simulations }: Fields, network: string): NamedExperiment[] {
  if (!Array.isArray(simulations) || simulations.length === 0)
    throw new RangeError(expected('simulations', 'a list of simulations', simulations));
  return simulations.map((one) => attestationsOf(fieldsOf('topology', topology), one, network));
}

function singleOf(file: Fields, network: string): NamedExperiment[] {
  const simulation = fieldsOf('simulation', file.simulation);
  return [attestationsOf(fieldsOf('topology', simulation.topology), simulation, network)];
}

function attestationsOf(topology: Fields, simulation: Fields, network: string): NamedExperiment {
  // In a full bundle, Tutti gives precedence to the votes that arrived first, whereas the original gives it to the
  // rarest votes.
  const isCapped = booleanOf(simulation, 'partial_priority', false);
  const fanout = numberOf(topology, 'fanout_nodes_per_topic', 0);
  const attestors = numberOf(simulation, 'num_attestors', 8);
  if (attestors < fanout)
    throw new RangeError(expected('num_attestors', `at least fanout_nodes_per_topic, ${fanout}`, attestors));
  const isBundled = booleanOf(simulation, 'use_partial_messages', false) || isCapped;
  const bytes = numberOf(simulation, 'attestation_data_size', 128) + numberOf(simulation, 'signature_size', 96);
  return {
    name: isCapped ? 'small bundles' : isBundled ? 'bundles' : 'classic',
    experiment: {
      ...meshOf(topology, network),
      topics: numberOf(simulation, 'num_topics', 1),
      publishers: fanout,
      meshPublishers: attestors - fanout,
      slots: numberOf(simulation, 'num_slots', 12),
      slotMs: 1000 * numberOf(simulation, 'slot_duration_seconds', 12),
      // A bundle contains the hash of the data. A vote in a bundle consists of a signature and the voter's place in the
      // committee.
      messageBytes: isBundled ? 136 : bytes,
      gossip: {
        ...gossipOf('gossipsub_params', simulation.gossipsub_params),
        fanout: numberOf(topology, 'fanout_node_mesh_peers', 1),
        ...(booleanOf(simulation, 'disable_ihave_gossip', false) && { dLazy: 0 }),
        ...(isBundled && {
          bundles: {
            ...bundlesOf(simulation),
            // Only `partial_priority` limits the number of votes in a bundle; the default limit is 30, also if the file
            // says 0.
            ...(isCapped && { maxVotes: numberOf(simulation, 'max_attestations_per_message', 30) || 30 }),
          },
        }),
      },
      ...checksOf(simulation),
      // The original logs the arrival of a single vote at its verification, but the arrival of bundles at their
      // receipt.
      byReceipt: isBundled,
    },
  };
}

/**
 * Requires a batch window without an effect. The window is the minimum time between two batches, so the window has no
 * effect if each batch takes at least as long.
 *
 * @throws RangeError if the window is longer than a batch.
 */
function requireWindow(window: string, windowMs: number, batch: string, batchMs: number): void {
  if (windowMs > batchMs) throw new RangeError(expected(window, `at most ${batch}, ${batchMs}`, windowMs));
}

function checksOf(simulation: Fields) {
  const batchMs = numberOf(simulation, 'attestation_validation_delay_ms', 5);
  const windowMs = numberOf(simulation, 'validation_batch_window_ms', 5);
  requireWindow('validation_batch_window_ms', windowMs, 'attestation_validation_delay_ms', batchMs);
  return { batchMs, eachUs: numberOf(simulation, 'per_attestation_validation_us', 100) };
}

function messageOf(file: Fields, network: string): NamedExperiment[] {
  const { name } = fieldsOf('algorithm', file.algorithm);
  if (name !== 'gossipsub') throw new RangeError(expected('algorithm.name', 'gossipsub', name));
  const simulation = fieldsOf('simulation', file.simulation);
  const experiment = {
    ...meshOf(fieldsOf('topology', file.topology), network),
    topics: 1,
    publishers: 0,
    batchMs: 0,
    eachUs: 0,
    slots: numberOf(simulation, 'num_messages', 1),
    slotMs: 1000 * numberOf(simulation, 'publish_wait_seconds', 10),
    messageBytes: numberOf(simulation, 'message_size', 100_000),
    gossip: { ...ethereumGossipsub, forwardWaitMs: undefined, publishWaitMs: undefined },
  };
  return [{ name: 'block', experiment }];
}

/**
 * Returns the settings shared by the block and finality-vote simulations of eth-slot-sim.
 *
 * @param off sections of the file that Tutti does not simulate, in addition to `sync`. The original simulates such a
 * section unless its `enabled` is false.
 */
function slotOf(file: Fields, network: string, ...off: readonly string[]) {
  for (const part of ['sync', ...off])
    if (isObject(file[part]) && file[part].enabled === undefined)
      throw new RangeError(`${expected(`${part}.enabled`, 'false', undefined)}; Tutti does not simulate it`);
  return {
    ...meshOf(fieldsOf('topology', file.topology ?? {}), network, 25),
    topics: 1,
    publishers: 0,
    slots: numberOf(file, 'num_slots', 5),
    slotMs: 1000 * numberOf(file, 'slot_duration_seconds', 12),
    gossip: gossipOf('gossipsub', file.gossipsub),
  };
}

/** Reads a slot of eth-slot-sim that consists only of its block. */
function slotBlockOf(file: Fields, network: string): NamedExperiment[] {
  const shared = slotOf(file, network, 'attestation', 'data_columns', 'epbs');
  const block = { messageBytes: numberOf(file, 'block_size', 131_072), eachUs: 0 };
  const experiment = { ...shared, ...block, batchMs: numberOf(file, 'verify_delay_ms', 10) };
  return [{ name: 'block', experiment }];
}

/**
 * Reads a round of finality votes of eth-slot-sim: the votes of one subnet, without the block, the columns and the
 * other subnets.
 *
 * Every node is on one of the subnets, and the aggregators of the subnet are added (decoupled-consensus-spec.md,
 * sections 4 and 5: 116 receivers per vote in results/ladder). The peers of a node on the subnet are its peers in the
 * tree, two on average, and the random peers that happen to be on the subnet. The number of random peers is 1.26 times
 * `degree`: each node dials other nodes until it has `degree` peers, and later nodes dial this node. Voters are not on
 * the subnet for which they vote. Voters send their votes to two members that they have dialled, and to those of their
 * random peers that are members.
 */
function finalityVotesOf(file: Fields, network: string): NamedExperiment[] {
  const shared = slotOf(file, network);
  const decoupled = fieldsOf('decoupled_consensus', file.decoupled_consensus);
  const attestation = fieldsOf('attestation', file.attestation ?? {});
  if (decoupled.validator_segregation !== true)
    throw new RangeError(
      expected('decoupled_consensus.validator_segregation', 'true', decoupled.validator_segregation),
    );
  const subnets = numberOf(decoupled, 'fs_subnets', 40);
  const members = Math.round(shared.nodes / subnets) + numberOf(decoupled, 'fs_aggregators', 16);
  const degree = numberOf(fieldsOf('topology', file.topology ?? {}), 'degree', 8);
  const peers = 2 + Math.round((1.26 * degree * members) / shared.nodes);
  const [d, dLow, dHigh] = [shared.gossip.d, shared.gossip.dLow, shared.gossip.dHigh].map((max) =>
    Math.min(max, peers),
  );
  const isBundled = attestation.transport === 'partial';
  if (!isBundled && attestation.transport !== undefined)
    throw new RangeError(
      expected('attestation.transport', 'partial, or no value for single votes', attestation.transport),
    );
  const voters = validatorsOf(file, attestation, shared.nodes) / numberOf(decoupled, 'ac_slots_per_finality_slot', 10);
  const experiment = {
    ...shared,
    nodes: members,
    publishers: Math.round(voters / subnets),
    messageBytes: finalityVoteBytes,
    gossip: {
      ...shared.gossip,
      d: d!,
      dLow: dLow!,
      dHigh: dHigh! + 2,
      fanout: peers,
      // Each bundle includes the data. A vote consists of a signature and the voter's place in the committee.
      ...(isBundled && {
        bundles: { ...bundlesOf(fieldsOf('attestation.partial', attestation.partial ?? {})), dataBytes: 128 },
      }),
    },
    ...slotChecksOf(attestation),
  };
  return [{ name: isBundled ? 'finality votes in bundles' : 'finality votes', experiment }];
}

/**
 * Reads the settings of the verifier: by default, batches of up to 300 waiting votes that take 10 ms per batch and 10
 * µs per vote.
 */
function slotChecksOf(attestation: Fields) {
  const batchMs = numberOf(attestation, 'verify_delay_ms', 10);
  requireWindow('batch_window_ms', numberOf(attestation, 'batch_window_ms', 10), 'verify_delay_ms', batchMs);
  // 0 means no limit.
  const batch = numberOf(attestation, 'batch_max_items', 300) || 2 ** 20;
  return { batch, batchMs, eachUs: 1000 * numberOf(attestation, 'per_item_ms', 0.01) };
}

/**
 * Returns the number of validators. `tiered` gives 102.5 validators per node (b5d5baf: 409,785 on 4,000 nodes): a
 * log-normal mean of 200 on the half of the nodes with faster links, and five on the other half.
 */
function validatorsOf(file: Fields, attestation: Fields, nodes: number): number {
  const { type } = fieldsOf('validator_distribution', file.validator_distribution ?? {});
  if (type === 'tiered') return 102.5 * nodes;
  if (type !== undefined && type !== 'uniform')
    throw new RangeError(expected('validator_distribution.type', 'tiered or uniform', type));
  return numberOf(attestation, 'validators', 64);
}

/** Length of one finality vote, bytes. */
const finalityVoteBytes = 226;

/**
 * Reads the settings of a simulation for bundles. Nodes send the data once and then only its hash; votes state places
 * in the committee instead of indices.
 */
function bundlesOf(simulation: Fields): Bundles {
  return {
    tickMs: numberOf(simulation, 'publish_interval_ms', 20),
    maxVotes: 65_536,
    dataBytes: 36,
    voteBytes: 100,
    idBytes: 4,
  };
}

function meshOf(topology: Fields, network: string, nodes = 10) {
  return {
    nodes: numberOf(topology, 'num_nodes', nodes),
    superShare: numberOf(topology, 'super_node_fraction', 0),
    ...links,
    network,
    seed: numberOf(topology, 'seed', 42),
  };
}

/**
 * Reads the settings for gossipsub, without send timeouts, because each peer in the original has a queue of a thousand
 * messages.
 */
function gossipOf(label: string, settings: unknown) {
  const given = fieldsOf(label, settings ?? {});
  return {
    ...ethereumGossipsub,
    d: numberOf(given, 'D', 8),
    dLow: numberOf(given, 'Dlow', 6),
    dHigh: numberOf(given, 'Dhigh', 12),
    forwardWaitMs: undefined,
    publishWaitMs: undefined,
  };
}

function fieldsOf(label: string, value: unknown): Fields {
  requireFields(label, value);
  return value;
}

function numberOf(fields: Fields, name: string, otherwise: number): number {
  const value = fields[name] ?? otherwise;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new RangeError(expected(name, 'a number', value));
  return value;
}

/**
 * Reads a Boolean field. Other programs read `yes` in YAML as true. Here, `yes` is a text and is therefore refused.
 *
 * @throws RangeError for any other value.
 */
function booleanOf(fields: Fields, name: string, otherwise: boolean): boolean {
  const value = fields[name] ?? otherwise;
  if (typeof value !== 'boolean') throw new RangeError(expected(name, 'true or false', value));
  return value;
}
