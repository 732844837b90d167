import { readFileSync } from 'node:fs';
import { type MeshSlot, runMeshExperiment } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { variedExperiments } from '../studies/slotSimulators.ts';
import { readShadowFile } from './shadowFile.ts';

const experimentsOf = (text: string) => readShadowFile(text, 'aws').experiments;
const experimentOf = (text: string) => experimentsOf(text)[0]!.experiment;
const example = (name: string) => readFileSync(new URL(`../../../../examples/shadow/${name}`, import.meta.url), 'utf8');

it('reads an experiment with one topology and each of its simulations', () => {
  const [classic, bundles, ...others] = experimentsOf(example('val10-500.yaml'));
  expect(others).toEqual([]);
  expect(classic).toMatchObject({
    name: 'classic',
    experiment: {
      ...{ nodes: 500, topics: 2, publishers: 500, slots: 2, slotMs: 10_000, messageBytes: 224, superShare: 0.2 },
      ...{ batchMs: 10, eachUs: 100, byReceipt: false, network: 'aws', seed: 42 },
      gossip: { d: 8, dLow: 6, dHigh: 12, fanout: 1 },
    },
  });
  expect(classic!.experiment.gossip.bundles).toBeUndefined();
  expect(bundles).toMatchObject({
    name: 'bundles',
    experiment: { byReceipt: true, gossip: { bundles: { tickMs: 20 } } },
  });
});

it.each(['partial_priority', 'use_partial_messages', 'disable_ihave_gossip'])('refuses a text as %s', (field) => {
  // In YAML 1.1, which other programs read, this word means true.
  const text = `topology: { num_nodes: 32 }\nsimulations: [{ ${field}: yes }]`;
  expect(() => experimentsOf(text)).toThrow(`${field}: expected true or false, got "yes"`);
});

it('reads a single simulation with its own topology and one large message', () => {
  const single = experimentsOf('simulation:\n  topology: { num_nodes: 32, degree: 20 }\n  num_slots: 3\n');
  expect(single).toMatchObject([{ experiment: { nodes: 32, slots: 3, publishers: 0, meshPublishers: 8 } }]);
  expect(experimentsOf(example('block.yaml'))).toMatchObject([
    { name: 'block', experiment: { nodes: 1000, slots: 5, messageBytes: 2 ** 20, publishers: 0 } },
  ]);
});

it('reads the slots of eth-slot-sim: a block, and a subnet of finality votes with its members and aggregators', () => {
  expect(experimentsOf(example('n1000-1mb.yaml'))[0]).toMatchObject({
    name: 'block',
    experiment: { nodes: 1000, slots: 5, slotMs: 12_000, messageBytes: 2 ** 20, batchMs: 10, seed: 42 },
  });
  const { name, experiment } = experimentsOf(example('n4000-seg-partial-k5.yaml'))[0]!;
  expect(name).toBe('finality votes in bundles');
  // The published run had 115.4 receivers per vote, and 2,039 votes per subnet in each slot.
  expect(experiment).toMatchObject({ nodes: 116, publishers: 2050, batch: 300, superShare: 0.5 });
  expect(experiment.gossip).toMatchObject({ d: 5, dLow: 5, dHigh: 7, fanout: 5, bundles: { dataBytes: 128 } });
});

it('puts num_attestors attesters on a topic: the fanout nodes, and mesh nodes for the rest', () => {
  const of = (attestors: number, fanout: number) =>
    experimentOf(`topology: { fanout_nodes_per_topic: ${fanout} }\nsimulations: [{ num_attestors: ${attestors} }]`);
  for (const [publishers, meshPublishers] of [
    [10, 32],
    [10, 0],
    [0, 64],
  ] as const)
    expect(of(publishers + meshPublishers, publishers)).toMatchObject({ publishers, meshPublishers });
  expect(() => of(5, 10)).toThrow('num_attestors: expected at least fanout_nodes_per_topic, 10, got 5');
});

it('limits bundles to 30 votes if the file requests small ones, and only then', () => {
  const most = (simulation: string) =>
    experimentOf(`topology: {}\nsimulations: [{ ${simulation} }]`).gossip.bundles!.maxVotes;
  expect(most('partial_priority: true')).toBe(30);
  expect(most('partial_priority: true, max_attestations_per_message: 0')).toBe(30);
  expect(most('use_partial_messages: true, max_attestations_per_message: 30')).toBe(65_536);
});

it('reads validators and checks of finality votes from the file', () => {
  const own = 'enabled: false, validators: 400000, verify_delay_ms: 20, per_item_ms: 0.05, batch_max_items: 0';
  const file = example('n4000-seg-k5.yaml').replace('tiered', 'uniform').replace('enabled: false', own);
  expect(experimentOf(file)).toMatchObject({ publishers: 2000, batch: 2 ** 20, batchMs: 20, eachUs: 50 });
});

it('names each ignored field once, and none without effect', () => {
  const file = `
topology: { degree: 20, latency_multiple: 1.0, min_node_to_node_latency_ms: 0 }
simulations:
  - { log_level: info, attestation_validation_std_dev_ms: 0, divergent_attestor_fraction: 0.0 }
  - { log_level: info, attestation_validation_std_dev_ms: 3, divergent_attestor_fraction: 0.01 }
`;
  expect(readShadowFile(file, 'aws').ignored).toEqual([
    ...['topology.degree', 'simulations.log_level', 'simulations.attestation_validation_std_dev_ms'],
    ...['simulations.divergent_attestor_fraction'],
  ]);
});

it('knows every field of the public configurations of both repositories', () => {
  const attestations = `topology: { num_nodes: 32, degree: 8, type: random, seed: 42, super_node_fraction: 0.2, fanout_nodes_per_topic: 0, fanout_node_mesh_peers: 1, latency_multiple: 1.0, min_node_to_node_latency_ms: 0 }
simulations:
  - { gossipsub_params: { D: 8, Dlow: 6, Dhigh: 12 }, supernode_d: null, homenode_d: null, num_topics: 1, num_slots: 1, slot_duration_seconds: 12, num_attestors: 8, attestation_data_size: 128, signature_size: 96, attestation_validation_delay_ms: 5, attestation_validation_std_dev_ms: 3, validation_batch_window_ms: 5, per_attestation_validation_us: 100, publish_delay_mean_ms: 0, stop_time_minutes: 3.0, log_level: info, bandwidth_log_frequency_ms: 100, disable_ihave_gossip: false, publish_interval_ms: 20, max_peers_per_attestation: 0, divergent_attestor_fraction: 0.01, use_partial_messages: false, partial_priority: false, max_attestations_per_message: 30, send_available_with_data: false, att_propagation: false, attprop_push_d: 4, attprop_push_dlow: 4, attprop_push_dhigh: 4, attprop_bitmap_d: 4, attprop_bitmap_dlow: 4, attprop_bitmap_dhigh: 4, attprop_max_peers_per_att: 16 }`;
  const slot = `topology: { num_nodes: 100, degree: 8, type: random, seed: 42, super_node_fraction: 0.2, latency_multiple: 1.0, min_node_to_node_latency_ms: 0 }
gossipsub: { D: 8, Dlow: 6, Dhigh: 12 }
attestation: { enabled: false, validators: 4000, committees: 1, committee_size: 8, subnet_count: 64, subnets_per_node: 2, subscribe_floor: 10, attestation_due_ms: 4000, prep_ms: 0, verify_delay_ms: 10, per_item_ms: 0.01, batch_window_ms: 10, batch_max_items: 300, target_aggregators: 16, aggregate_due_ms: 8000, transport: partial, partial: { publish_interval_ms: 20, max_peers_per_attestation: 0, max_iwant_per_position: 10, attestation_data_size: 128, signature_size: 96, disable_metadata_gossip: false } }
data_columns: { enabled: false, num_columns: 128, blobs: 6, custody_floor: 8, full_custody_fraction: 0.5, column_backbone_floor: 3, per_subnet_floor: 0, verify_service_ms: 3, verify_parallelism_super: 16, verify_parallelism_regular: 4 }
sync: { enabled: false, size: 512, subnets: 4, target_aggregators: 16 }
epbs: { enabled: false, consensus_block_size: 2048, payload_offset_ms: 500, payload_jitter_ms: 500, ptc_size: 512, ptc_due_ms: 9000 }
decoupled_consensus: { enabled: true, ac_vote_size: 512, ac_slots_per_finality_slot: 5, fs_subnets: 4, fs_aggregators: 16, finality_slot_aggregation_fraction: 50, fc_vote_offset_ms: 1000, validator_segregation: true, round_aggregation_fraction: 67 }
validator_distribution: { type: uniform, seed: 7 }
num_slots: 1
slot_duration_seconds: 12
block_size: 131072
verify_delay_ms: 10
offset_ms: 2000
jitter_ms: 500
startup_seconds: 240
stop_time_minutes: 8
log_level: warning
seed: 1
rpc_log_node: -1`;
  for (const text of [attestations, slot, slot.replace('enabled: true', 'enabled: false')])
    expect(experimentsOf(text)).toHaveLength(1);
});

it.each([
  ['a: [1', /^expected YAML, got Flow sequence in block collection .* at line 1, column 6$/],
  ['just words', 'the file: expected fields with values, got "just words"'],
  ['topology: {}', 'simulations: expected a list of simulations, got undefined'],
  ['algorithm: { name: RLNC }\nsimulation: {}', 'algorithm.name: expected gossipsub, got "RLNC"'],
  [
    'block_size: 100\nattestation: { validators: 4 }',
    'attestation.enabled: expected false, got undefined; Tutti does not simulate it',
  ],
  [
    'decoupled_consensus: { validator_segregation: true }\nsync: { size: 512 }',
    'sync.enabled: expected false, got undefined; Tutti does not simulate it',
  ],
  [
    'decoupled_consensus: { validator_segregation: true }\nattestation: { transport: Partial }',
    'attestation.transport: expected partial, or no value for single votes, got "Partial"',
  ],
  ['block_size: 100\nsync: { enabled: true }', 'sync.enabled: expected false, got true; Tutti does not simulate it'],
])('refuses %j in one line', (text, line) => expect(() => experimentsOf(text)).toThrow(line));

const field = "a field of simctl's configuration for an experiment";

it.each([
  ['num_node: 4', '', `topology.num_node: expected ${field}, got "num_node" (Did you mean num_nodes?)`],
  ['', 'quorum: 4', `simulations.quorum: expected ${field}, got "quorum"; remove it`],
  ['type: ring', '', 'topology.type: expected "random", got "ring"; Tutti does not simulate it'],
  ['num_nodes: many', '', 'num_nodes: expected a number, got "many"'],
  ['', 'att_propagation: true', 'simulations.att_propagation: expected false, got true; Tutti does not simulate it'],
  [
    '',
    'supernode_d: { D: 16 }',
    'simulations.supernode_d: expected no value, got an object; Tutti does not simulate it',
  ],
  [
    '',
    'attestation_validation_delay_ms: 5, validation_batch_window_ms: 50',
    'validation_batch_window_ms: expected at most attestation_validation_delay_ms, 5, got 50',
  ],
])('refuses the topology { %s } with the simulation { %s } in one line', (topology, simulation, line) => {
  const text = `topology: { ${topology} }\nsimulations: [{ ${simulation} }]`;
  expect(() => experimentsOf(text)).toThrow(new RangeError(line));
});

it('variedExperiments includes the experiment itself and different variants that are all valid', () => {
  const { experiment } = readShadowFile(example('n1000-1mb.yaml'), 'constant:20').experiments[0]!;
  const small = { ...experiment, nodes: 40, slots: 1, messageBytes: 2 ** 17, slotMs: 60_000 };
  const [own, ...others] = variedExperiments(small);
  expect(own).toEqual({ assumption: 'unchanged', experiment: small });
  const sumOf = ({ ms }: MeshSlot) => ms[0]!.reduce((sum, one) => sum + one, 0);
  const sums = variedExperiments(small).map(({ experiment: one }) => sumOf(runMeshExperiment(one)[0]!));
  expect(others.length).toBeGreaterThan(8);
  expect(new Set(sums).size).toBeGreaterThan(others.length - 2);
});
