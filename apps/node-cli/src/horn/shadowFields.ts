import { each, type FieldTable, type FieldUse } from '../files/settingsText.ts';

/** Fields about the process and its logs, which Tutti ignores with a warning. */
const processFields = each('ignored', 'stop_time_minutes', 'log_level', 'bandwidth_log_frequency_ms');

const ignoredUnless = (unless: unknown): FieldUse => ({ ignored: { unless } });
const refusedUnless = (unless: unknown): FieldUse => ({ refused: { unless } });

const degrees: FieldUse = { fields: each('used', 'D', 'Dlow', 'Dhigh') };

const latencies: FieldTable = {
  latency_multiple: refusedUnless(1),
  min_node_to_node_latency_ms: refusedUnless(0),
};

/** Topology of sukunrt/batched-attestation-sim@99cafae (simctl/config.py, TopologyConfig). */
const topology: FieldUse = {
  fields: {
    file: refusedUnless(undefined),
    degree: 'ignored',
    type: refusedUnless('random'),
    ...each('used', 'num_nodes', 'seed', 'super_node_fraction', 'fanout_nodes_per_topic', 'fanout_node_mesh_peers'),
    ...latencies,
  },
};

/**
 * A simulation of attestations from the same file (AttestationSimParams). Fields `attprop_*` have an effect only with
 * `att_propagation`.
 */
const attestations: FieldTable = {
  gossipsub_params: degrees,
  ...each(refusedUnless(undefined), 'supernode_d', 'homenode_d'),
  ...each('used', 'num_topics', 'num_slots', 'slot_duration_seconds', 'num_attestors'),
  ...each('used', 'attestation_data_size', 'signature_size', 'attestation_validation_delay_ms'),
  attestation_validation_std_dev_ms: ignoredUnless(0),
  ...each('used', 'validation_batch_window_ms', 'per_attestation_validation_us', 'disable_ihave_gossip'),
  publish_delay_mean_ms: refusedUnless(0),
  ...each('used', 'publish_interval_ms', 'use_partial_messages', 'partial_priority', 'max_attestations_per_message'),
  max_peers_per_attestation: ignoredUnless(0),
  divergent_attestor_fraction: ignoredUnless(0),
  ...each(refusedUnless(false), 'send_available_with_data', 'att_propagation'),
  ...each('ignored', 'disable_bitmap_sends', 'enable_push_mesh_bitmap'),
  ...each('ignored', 'attprop_push_dlow', 'attprop_push_d', 'attprop_push_dhigh'),
  ...each('ignored', 'attprop_bitmap_dlow', 'attprop_bitmap_d', 'attprop_bitmap_dhigh'),
  ...each('ignored', 'attprop_send_budget_b', 'attprop_max_peers_per_att', 'attprop_tick_interval_ms'),
  ...each('ignored', 'attprop_bitmap_floor_interval_ms', 'attprop_heartbeat_interval_ms'),
  attprop_prune_backoff_seconds: 'ignored',
  ...processFields,
};

/** An experiment: one topology with several simulations. */
export const experimentFields: FieldTable = { topology, simulations: { listOf: attestations } };

/** A single simulation that includes its topology. */
export const singleFields: FieldTable = { simulation: { fields: { topology, ...attestations } } };

/**
 * A simulation of one large message (RunConfig). The options for erasure codes are ignored, because Tutti simulates
 * only `gossipsub`.
 */
export const messageFields: FieldTable = {
  algorithm: {
    fields: {
      name: 'used',
      ...each('ignored', 'data_shards', 'parity_shards', 'chunk_len', 'num_chunks', 'num_chunks_per_generation'),
      ...each('ignored', 'enable_bitmaps', 'bitmap_threshold'),
      publish_wait_seconds: refusedUnless(undefined),
    },
  },
  topology,
  simulation: {
    fields: {
      ...each('used', 'num_messages', 'message_size', 'publish_wait_seconds'),
      seed: 'ignored',
      ...processFields,
    },
  },
};

/** Parts of a slot that Tutti cannot simulate together with a block. */
const off = (...others: readonly string[]): FieldUse => ({
  fields: { enabled: refusedUnless(false), ...each('ignored', ...others) },
});

const columns = [
  'num_columns',
  'blobs',
  'custody_floor',
  'full_custody_fraction',
  'column_backbone_floor',
  'per_subnet_floor',
  'verify_service_ms',
  'verify_parallelism_super',
  'verify_parallelism_regular',
];
const twoPhases = ['consensus_block_size', 'payload_offset_ms', 'payload_jitter_ms', 'ptc_size', 'ptc_due_ms'];
const committees = [
  'committees',
  'committee_size',
  'subnet_count',
  'subnets_per_node',
  'subscribe_floor',
  'attestation_due_ms',
  'prep_ms',
  'target_aggregators',
  'aggregates_per_committee',
  'aggregate_due_ms',
];

/**
 * Fields shared by the block and finality-vote simulations of sukunrt/eth-slot-sim@b5d5baf (simctl/config.py,
 * SimConfig).
 */
const slot: FieldTable = {
  topology: {
    fields: {
      ...each('used', 'num_nodes', 'degree', 'seed', 'super_node_fraction'),
      type: refusedUnless('random'),
      ...latencies,
    },
  },
  gossipsub: degrees,
  sync: off('size', 'subnets', 'target_aggregators'),
  ...each('used', 'num_slots', 'slot_duration_seconds', 'block_size', 'verify_delay_ms'),
  ...each(
    'ignored',
    'offset_ms',
    'jitter_ms',
    'startup_seconds',
    'seed',
    'rpc_log_node',
    'stop_time_minutes',
    'log_level',
  ),
};

/** Fields for simulating a block without votes. */
export const blockFields: FieldTable = {
  ...slot,
  attestation: off(
    'validators',
    ...committees,
    'verify_delay_ms',
    'per_item_ms',
    'batch_window_ms',
    'batch_max_items',
    'transport',
    'partial',
  ),
  data_columns: off(...columns),
  epbs: off(...twoPhases),
  decoupled_consensus: off(
    ...['ac_vote_size', 'ac_slots_per_finality_slot', 'fs_subnets', 'fs_aggregators', 'fc_vote_offset_ms'],
    ...['finality_slot_aggregation_fraction', 'validator_segregation', 'round_aggregation_fraction'],
  ),
  validator_distribution: 'ignored',
};

/** Fields for simulating the finality votes of one subnet, without the block and the columns. */
export const finalityFields: FieldTable = {
  ...slot,
  attestation: {
    fields: {
      enabled: refusedUnless(false),
      ...each('ignored', ...committees),
      ...each(
        'used',
        'validators',
        'verify_delay_ms',
        'per_item_ms',
        'batch_window_ms',
        'batch_max_items',
        'transport',
      ),
      partial: {
        fields: {
          publish_interval_ms: 'used',
          max_peers_per_attestation: ignoredUnless(0),
          max_iwant_per_position: 'ignored',
          attestation_data_size: refusedUnless(128),
          signature_size: refusedUnless(96),
          disable_metadata_gossip: refusedUnless(false),
        },
      },
    },
  },
  data_columns: 'ignored',
  epbs: 'ignored',
  decoupled_consensus: {
    fields: {
      ...each('used', 'enabled', 'ac_slots_per_finality_slot', 'fs_subnets', 'fs_aggregators'),
      validator_segregation: refusedUnless(true),
      ...each('ignored', 'ac_vote_size', 'finality_slot_aggregation_fraction', 'fc_vote_offset_ms'),
      round_aggregation_fraction: 'ignored',
    },
  },
  validator_distribution: {
    fields: {
      type: 'used',
      ...each(refusedUnless(undefined), 'regular', 'super', 'counts'),
      seed: 'ignored',
    },
  },
};
