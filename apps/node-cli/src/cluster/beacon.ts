import { WorldError } from '@tutti/core/errors';
import { type RegistryEntry, registryDigest } from '@tutti/core/registry';
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

/** The commitment that a member hands out with its keys. */
export function commitmentOf({ publicKey }: Pick<RegistryEntry, 'publicKey'>, opening: Uint8Array): Uint8Array {
  return beaconCommitment(nodeCrypto, publicKey, opening);
}

/**
 * What the seeds of a run's rounds are derived from (v1.0 section 4.3): for the first round, from what all members
 * committed to before any of them opened it, and then from the previous round's multi-signature, as the process that
 * runs the rounds has it.
 */
export class Beacon {
  readonly #digest: Uint8Array;
  #bytes: Uint8Array;

  /**
   * @param commitments of the entries, in their order, settled before any opening was asked for.
   * @throws WorldError `process-failed` for an opening that is not its commitment's.
   */
  constructor(entries: readonly RegistryEntry[], commitments: readonly Uint8Array[], openings: readonly Uint8Array[]) {
    const members = entries.map(({ publicKey }, index) => ({
      publicKey,
      commitment: commitments[index]!,
      opening: openings[index]!,
    }));
    const made = beaconOfMembers(nodeCrypto, members);
    if (!made.ok) throw new WorldError('process-failed', `node ${made.member}: its opening is not its commitment's`);
    this.#digest = registryDigest(nodeCrypto, { entries });
    this.#bytes = made.beacon;
  }

  /** The round with its seed. */
  planOf(round: PlannedRound): RoundPlan {
    return { ...round, seed: roundSeed(nodeCrypto, this.#digest, round.number, this.#bytes) };
  }

  /**
   * Goes on to the result of a round. A signature of a forward-secure scheme is not unique, so that its signer could try
   * several: there the first beacon stays.
   */
  next({ period }: RoundPlan, output: RoundSignature): void {
    if (period === undefined) this.#bytes = beaconOf(output);
  }
}
