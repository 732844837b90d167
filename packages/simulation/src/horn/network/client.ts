import { requireInteger, requireNumber } from '@tutti/core/internal';
import { type MachineName, machines } from '../costs/machines.ts';

/** How a client verifies what comes from gossip. */
export interface ClientParameters {
  readonly machine: MachineName;
  /** Cores that verify. */
  readonly cores: number;
  /** Messages whose signatures are checked together, at most. */
  readonly batch: number;
  /** For how long a message waits for others to be checked with, ms. */
  readonly batchWaitMs: number;
  /**
   * Which of those that wait is next. Of more than a queue holds the oldest is dropped where the newest is next, else
   * the one that comes.
   */
  readonly order: 'newest-first' | 'oldest-first';
  /** Messages that wait, at most. */
  readonly voteQueue: number;
  readonly aggregateQueue: number;
  /**
   * Whether aggregates whose votes are all in one that was verified before are neither verified nor passed on
   * (consensus-specs, phase0/p2p-interface.md, beacon_aggregate_and_proof). Only where every message is played by
   * itself. Default: false.
   */
  readonly ignoresCovered?: boolean;
}

/**
 * Two clients' values. `lighthouse`: beacon_processor's constants, batches of up to 64, taken as soon as a worker is
 * free, aggregates before votes, the newest first of both (its LifoQueue), queues of 16,384 and 4,096 (some versions:
 * 1,024). `lodestar`: batches of 32, or what has come within 100 ms, the newest first, queues of 24,576 and 5,120
 * (gossipQueues); that it drops votes by a growing share once they overflow is left out.
 */
export const clientPresets = {
  lighthouse: { batch: 64, batchWaitMs: 0, order: 'newest-first', voteQueue: 16_384, aggregateQueue: 4096 },
  lodestar: { batch: 32, batchWaitMs: 100, order: 'newest-first', voteQueue: 24_576, aggregateQueue: 5120 },
  singly: { batch: 1, batchWaitMs: 0, order: 'oldest-first', voteQueue: 2 ** 20, aggregateQueue: 2 ** 20 },
} as const satisfies Record<string, Omit<ClientParameters, 'machine' | 'cores'>>;
export type ClientPreset = keyof typeof clientPresets;
export const clientPresetNames = Object.keys(clientPresets) as readonly ClientPreset[];

export function checkClient(client: ClientParameters): void {
  requireInteger('cores', client.cores, 1, 256);
  requireInteger('batch', client.batch, 1, 1024);
  requireNumber('batchWaitMs', client.batchWaitMs, 0, 10_000);
  requireInteger('voteQueue', client.voteQueue, 1, 2 ** 20);
  requireInteger('aggregateQueue', client.aggregateQueue, 1, 2 ** 20);
}

/**
 * What verifying takes where sets are checked together: something for the batch, something for each set; microseconds
 * of one core.
 */
export interface BatchCosts {
  readonly batchUs: number;
  readonly setUs: number;
}

/** Of BLS signatures on a machine: the two pairings, and each set's own part. */
export function blsBatchCosts({ machine }: ClientParameters): BatchCosts {
  const { verifyMs, claimMs } = machines[machine];
  return { batchUs: 1000 * (verifyMs - claimMs), setUs: 1000 * claimMs };
}
