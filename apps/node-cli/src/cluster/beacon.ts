import { type RegistryEntry, registryDigest } from '@tutti/core';
import { WorldError } from '@tutti/core/input';
import {
  beaconCommitment,
  beaconOf,
  beaconOfMembers,
  type RoundPlan,
  type RoundSignature,
  roundSeed,
} from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/raw';
import type { PlannedRound } from './plannedRounds.ts';

/** Returns the commitment that a member publishes with its keys. */
export function commitmentOf({ publicKey }: Pick<RegistryEntry, 'publicKey'>, opening: Uint8Array): Uint8Array {
  return beaconCommitment(nodeCrypto, publicKey, opening);
}

/**
 * Source of the seeds of a run's rounds (v1.0 section 4.3). The first round's seed follows from commitments that all
 * members made before any of them opened its own. Each later seed follows from the multi-signature of the previous
 * round.
 */
export class Beacon {
  readonly #digest: Uint8Array;
  #bytes: Uint8Array;

  /**
   * Combines the commitments.
   *
   * @param commitments one per entry, in their order, fixed before any opening was requested.
   * @throws WorldError `process-failed` for an opening that does not match its commitment.
   */
  constructor(entries: readonly RegistryEntry[], commitments: readonly Uint8Array[], openings: readonly Uint8Array[]) {
    const members = entries.map(({ publicKey }, index) => ({
      publicKey,
      commitment: commitments[index]!,
      opening: openings[index]!,
    }));
    const made = beaconOfMembers(nodeCrypto, members);
    if (!made.ok)
      throw new WorldError('process-failed', `node ${made.member}: the opened value does not match the commitment`);
    this.#digest = registryDigest(nodeCrypto, { entries });
    this.#bytes = made.beacon;
  }

  /** Returns the round with its seed. */
  planOf(round: PlannedRound): RoundPlan {
    return { ...round, seed: roundSeed(nodeCrypto, this.#digest, round.number, this.#bytes) };
  }

  /**
   * Updates the beacon with a round's result. A signature of a forward-secure scheme is not unique, so its signer could
   * try several. With such a scheme, the first beacon remains.
   */
  next({ period }: RoundPlan, output: RoundSignature): void {
    if (period === undefined) this.#bytes = beaconOf(output);
  }
}
