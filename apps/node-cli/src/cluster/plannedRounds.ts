import { availableParallelism } from 'node:os';
import { type RegistryEntry, registryDigest } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import {
  beaconCommitment,
  beaconOf,
  beaconOfMembers,
  fittingPeriodMs,
  type PriorityRows,
  periodPerNodeMs,
  type RoundPlan,
  type RoundSignature,
  roundMessage,
  roundSeed,
} from '@tutti/transports';
import { monotonicClock, nodeCrypto } from '@tutti/transports/node';

const minPeriodMs = 50;

/** Description of the default dissemination period, for help texts. */
export const defaultPeriodText = `${periodPerNodeMs} ms per node on the same core, at least ${minPeriodMs} ms`;

/** Returns the default dissemination period, ms. */
export function defaultPeriodMs(nodes: number, processes: number): number {
  const nodesPerCore = nodes / Math.min(processes, availableParallelism());
  return Math.max(minPeriodMs, fittingPeriodMs(nodesPerCore));
}

/** Clock of this machine, which all of its processes share. */
export const machineClock = monotonicClock(0n);

/** Time from the start command to the start of a round, ms, in which all processes receive the command. */
export const leadMs = 50;

/** Returns a common start time that is late enough for all processes, µs of the machine's clock. */
export function nextStartUs(): number {
  return machineClock.nowUs() + leadMs * 1000;
}

/**
 * A round whose seed is not known yet, because the seed depends on the results of earlier rounds; see {@link Beacon}.
 */
export type PlannedRound = Omit<RoundPlan, 'seed'>;

/**
 * Returns the rounds of a cluster, numbered from 1. A single round signs the text unchanged. With several rounds, each
 * round signs its own message; see {@link roundMessage}.
 *
 * @param firstPeriod period of the first round, for a forward-secure scheme; the period increases by one per round.
 */
export function plannedRounds(
  text: string,
  count: number,
  priorities: PriorityRows,
  firstPeriod?: number,
): PlannedRound[] {
  return Array.from({ length: count }, (_, k) => ({
    number: k + 1,
    message: count === 1 ? new TextEncoder().encode(text) : roundMessage(text, k + 1),
    priorities,
    ...(firstPeriod === undefined ? {} : { period: firstPeriod + k }),
  }));
}

/** Returns the commitment that a member publishes together with its keys. */
export function commitmentOf({ publicKey }: Pick<RegistryEntry, 'publicKey'>, opening: Uint8Array): Uint8Array {
  return beaconCommitment(nodeCrypto, publicKey, opening);
}

/**
 * Source of the seeds for the rounds of a run (v1.0 section 4.3). The seed of the first round follows from commitments
 * that all members made before any member opened its commitment. The seed of each later round follows from the
 * multi-signature of the previous round.
 */
export class Beacon {
  readonly #digest: Uint8Array;
  #bytes: Uint8Array;

  /**
   * Combines the openings of the commitments into the first beacon.
   *
   * @param commitments one commitment per entry, in the order of the entries, fixed before any opening was requested.
   * @throws EnvironmentError `process-failed` if an opening does not match its commitment.
   */
  constructor(entries: readonly RegistryEntry[], commitments: readonly Uint8Array[], openings: readonly Uint8Array[]) {
    const members = entries.map(({ publicKey }, index) => ({
      publicKey,
      commitment: commitments[index]!,
      opening: openings[index]!,
    }));
    const made = beaconOfMembers(nodeCrypto, members);
    if (!made.ok)
      throw new EnvironmentError(
        'process-failed',
        `node ${made.member}: the opened value does not match the commitment`,
      );
    this.#digest = registryDigest(nodeCrypto, { entries });
    this.#bytes = made.beacon;
  }

  /** Returns the given round with its seed. */
  planOf(round: PlannedRound): RoundPlan {
    return { ...round, seed: roundSeed(nodeCrypto, this.#digest, round.number, this.#bytes) };
  }

  /**
   * Updates the beacon with the result of a round. A signature of a forward-secure scheme is not unique, so a signer
   * could choose among several signatures. With a forward-secure scheme, the first beacon therefore remains in use.
   */
  next({ period }: RoundPlan, output: RoundSignature): void {
    if (period === undefined) this.#bytes = beaconOf(output);
  }
}
