import {
  defaultsOf,
  durations,
  expected,
  integers,
  oneOf,
  onOff,
  requireAllIn,
  requireArray,
  requireIn,
  requireKnownFields,
  requireObject,
  type SparseSettingsOf,
  shares,
} from '@tutti/core/input';
import { defaultMachine, type MachineName, machineNames, machines } from '../costs.ts';

/** Parameters with which a client verifies gossip messages. */
export interface ClientParameters {
  readonly machine: MachineName;
  /** Number of cores used for verification. */
  readonly cores: number;
  /** Maximum number of messages whose signatures are checked together. */
  readonly batch: number;
  /** Maximum time that a message waits for other messages to be checked with it, ms. */
  readonly batchWaitMs: number;
  /** Order of waiting messages. A full queue drops its oldest message or, with `oldest-first`, the arriving message. */
  readonly order: 'newest-first' | 'oldest-first';
  /** Maximum number of batches verified in parallel, each on an equal part of the cores. Default: one per core. */
  readonly atOnce?: number;
  /** Whether votes on the same data are added and checked as one signature. Default: false. */
  readonly sumsEqual?: boolean;
  /** Maximum number of waiting votes. */
  readonly voteQueue: number;
  /** Maximum number of waiting aggregates. */
  readonly aggregateQueue: number;
  /**
   * Whether an aggregate is ignored, that is neither verified nor forwarded, if one verified aggregate contains all of
   * its votes (consensus-specs, phase0/p2p-interface.md, beacon_aggregate_and_proof). This option is only for runs that
   * simulate every message. Default: false.
   */
  readonly ignoresCovered?: boolean;
}

/**
 * Parameters of clients. `lighthouse`: the constants of beacon_processor. Lighthouse takes batches of up to 64 messages
 * as soon as a worker is free, aggregates before votes, and the newest first for both (its LifoQueue). Lighthouse's
 * queues have 16,384 and 4,096 entries (some versions: 1,024). `lodestar`: batches of 32, or the messages that have
 * arrived within 100 ms, the newest first, with queues of 24,576 and 5,120 entries (gossipQueues). When a queue of
 * Lodestar overflows, Lodestar drops a growing share of votes, which is not modelled.
 *
 * Versions of 2026 (commits and files in docs/research/horn/validation.md): `lighthouse-2026` sizes its queues by
 * active validators, here a million, and has 4,096 entries for aggregates. `prysm` takes the messages that have arrived
 * within 5 ms, and adds equal votes. `teku` takes up to 250 waiting messages, four batches at once. `nimbus` takes 72
 * messages or those within 10 ms, two batches at once, and adds equal votes. `grandine` takes the newest 64 messages,
 * one batch at a time on all cores. `singly` is not a client: it checks each message separately.
 */
export const clientPresets = {
  lighthouse: { batch: 64, batchWaitMs: 0, order: 'newest-first', voteQueue: 16_384, aggregateQueue: 4096 },
  lodestar: { batch: 32, batchWaitMs: 100, order: 'newest-first', voteQueue: 24_576, aggregateQueue: 5120 },
  'lighthouse-2026': { batch: 64, batchWaitMs: 0, order: 'newest-first', voteQueue: 34_375, aggregateQueue: 4096 },
  prysm: {
    batch: 1000,
    batchWaitMs: 5,
    order: 'oldest-first',
    atOnce: 1,
    sumsEqual: true,
    voteQueue: 1000,
    aggregateQueue: 1000,
  },
  teku: { batch: 250, batchWaitMs: 0, order: 'oldest-first', atOnce: 4, voteQueue: 30_000, aggregateQueue: 30_000 },
  nimbus: {
    batch: 72,
    batchWaitMs: 10,
    order: 'oldest-first',
    atOnce: 2,
    sumsEqual: true,
    voteQueue: 2 ** 20,
    aggregateQueue: 2 ** 20,
  },
  grandine: {
    batch: 64,
    batchWaitMs: 0,
    order: 'newest-first',
    atOnce: 1,
    voteQueue: 2 ** 20,
    aggregateQueue: 2 ** 20,
  },
  singly: { batch: 1, batchWaitMs: 0, order: 'oldest-first', voteQueue: 2 ** 20, aggregateQueue: 2 ** 20 },
} as const satisfies Record<string, Omit<ClientParameters, 'machine' | 'cores'>>;
/** Name of a preset in {@link clientPresets}. */
export type ClientPreset = keyof typeof clientPresets;
/** Names of all client presets. */
export const clientPresetNames = Object.keys(clientPresets) as readonly ClientPreset[];

/** Share of the nodes that verify like a given client, on the same machines as the other nodes. */
export interface ClientShare {
  readonly name: ClientPreset;
  readonly share: number;
}

/** Checks shares. @throws RangeError unless all clients are known and their shares sum to at most 1. */
export function validateClientShares(clients: readonly ClientShare[]): void {
  requireArray('clients', clients);
  for (const client of clients) {
    requireObject('clients', client);
    const { name, share } = client;
    if (!clientPresetNames.includes(name))
      throw new RangeError(expected('clients', clientPresetNames.join(' or '), name));
    requireIn(`share of ${name}`, share, shares);
  }
  const sum = clients.reduce((all, { share }) => all + share, 0);
  if (sum > 1 + 1e-9) throw new RangeError(expected('shares of clients together', 'at most 1', sum));
}

/**
 * Returns the client of each node, with exact shares, in the given order. The remaining nodes use the scenario's own
 * client.
 *
 * @param order all nodes, each once.
 */
export function clientsOfNodes(
  own: ClientParameters,
  clients: readonly ClientShare[],
  order: Int32Array,
): readonly ClientParameters[] {
  const { machine, cores, ignoresCovered } = own;
  const of = Array.from(order, () => own);
  let sum = 0;
  let rank = 0;
  for (const { name, share } of clients) {
    const client = { ...clientPresets[name], machine, cores, ...(ignoresCovered !== undefined && { ignoresCovered }) };
    sum += share;
    for (const end = Math.round(sum * of.length); rank < end; rank++) of[order[rank]!] = client;
  }
  return of;
}

const { lighthouse } = clientPresets;
const queues = integers(1, 2 ** 20);

/** Default, range and description of each field of a client. */
export const clientSettings: SparseSettingsOf<ClientParameters> = {
  batch: { default: lighthouse.batch, range: integers(1, 1024), about: 'maximum number of signatures per batch' },
  batchWaitMs: {
    default: lighthouse.batchWaitMs,
    range: durations(0, 10_000),
    about: 'maximum time that a message waits for its batch',
  },
  order: {
    default: lighthouse.order,
    range: oneOf(['newest-first', 'oldest-first']),
    about: 'order of the queue',
  },
  voteQueue: { default: lighthouse.voteQueue, range: queues, about: 'maximum number of waiting votes' },
  aggregateQueue: { default: lighthouse.aggregateQueue, range: queues, about: 'maximum number of waiting aggregates' },
  machine: { default: defaultMachine, range: oneOf(machineNames), about: 'machine that verifies' },
  cores: { default: 4, range: integers(1, 256), about: 'number of cores that verify' },
  atOnce: {
    default: undefined,
    range: integers(1, 256),
    about: 'number of batches verified in parallel',
    isOptional: true,
  },
  sumsEqual: {
    default: undefined,
    range: onOff,
    about: 'sum votes on the same data before verification',
    isOptional: true,
  },
  ignoresCovered: {
    default: undefined,
    range: onOff,
    about: 'ignore aggregates whose votes are all in one verified aggregate',
    isOptional: true,
  },
};

/** The default client: Lighthouse's values on four cores of the default machine. */
export const defaultClient: ClientParameters = defaultsOf<ClientParameters>(clientSettings);

/** Checks a client. @throws RangeError that names the field; TypeError for any other value or an unknown field. */
export function validateClient(client: ClientParameters): void {
  requireKnownFields('client', client, Object.keys(clientSettings));
  requireAllIn(client, clientSettings);
}

/** Costs of verifying signatures together, µs of one core: a part per batch, and a part per signature. */
export interface BatchCosts {
  readonly batchUs: number;
  readonly setUs: number;
  /** Cost per vote if equal votes are added. All votes of a batch together also cost one {@link setUs}. */
  readonly summedUs: number;
}

/**
 * Cost of each additional vote on the same data, relative to verifying the vote alone. 128 votes took 3.81 ms more than
 * 64, and a single vote took 1.6 ms (Lodestar's benchmark in its pull request 5729, 2023, which does not say whether
 * the time includes decoding signatures).
 */
const summedShare = 3.81 / 64 / 1.6;

/** Returns the costs of BLS signatures on a machine: two pairings per batch, and each signature's own part. */
export function blsBatchCosts({ machine }: ClientParameters): BatchCosts {
  const { verifyMs, claimMs } = machines[machine];
  return { batchUs: 1000 * (verifyMs - claimMs), setUs: 1000 * claimMs, summedUs: 1000 * verifyMs * summedShare };
}
