import { toHex } from '@tutti/core/input';
import { kernelName, loadKernel } from '@tutti/node-cli/command';
import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { loadPixel, stolenKeyReport } from '../index.ts';

/** Result for one round that an adversary tries to rewrite with all keys after the last round. */
interface RewrittenRound {
  readonly round: number;
  /**
   * A multi-signature by all members on another block, which noble-curves accepts, in hexadecimal; null if none could
   * be created.
   */
  readonly bls: string | null;
  /** `forged` if the attempts with all members' keys succeeded, otherwise null. */
  readonly pixel: 'forged' | null;
}

/** Output of `tutti pixel corruption --json`. */
export interface CorruptionDocument {
  readonly members: number;
  readonly rounds: number;
  /** Number of attempts with Pixel keys, over all members and rounds. */
  readonly attempts: number;
  readonly rewritten: readonly RewrittenRound[];
  /**
   * Number of members whose stolen Pixel key signs at the key's own period. The number shows that the stolen keys are
   * valid.
   */
  readonly signNow: number;
}

/** Returns the block with which the adversary replaces the block of a round. */
const otherBlock = (round: number): Uint8Array => new TextEncoder().encode(`other block ${round}`);

/**
 * Simulates posterior corruption of a committee that signs a block in each round. After the last round, an adversary
 * gets the present secret keys of all members, and tries to sign other blocks for the earlier rounds. Keys follow from
 * the seed, so they are not secret.
 *
 * @param onMember called when a member's stolen key has been tried on all past rounds.
 */
export async function posteriorCorruption(
  members: number,
  rounds: number,
  seed: number,
  onMember: () => void,
): Promise<CorruptionDocument> {
  const [bls, noble] = [await loadKernel(), await loadBls({ engine: 'noble' })];
  const pixel = await loadPixel({ engine: kernelName(false) });
  const blsKeys = Array.from({ length: members }, (_, index) => insecureSecretKey(bls, seed, index));
  const pairs = Array.from({ length: members }, (_, index) => pixel.keyGen(insecureSeed('signing', seed, index)));
  // Each member updates its key for every round. The adversary uses only the keys of the last round.
  const stolen = pairs.map(({ secretKey }) => {
    let key = secretKey;
    for (let round = 2; round <= rounds; round++) key = pixel.update(key, round, insecureSeed('update', seed, round));
    return key;
  });
  const past = Array.from({ length: rounds - 1 }, (_, i) => i + 1);
  const reports = stolen.map((key, index) => {
    const report = stolenKeyReport(pixel, pairs[index]!.publicKey, key, past, otherBlock);
    onMember();
    return report;
  });
  const blsPublicKeys = blsKeys.map((key) => bls.publicKey(key));
  return {
    members,
    rounds,
    attempts: reports.flatMap(({ earlier }) => earlier).reduce((sum, { attempts }) => sum + attempts, 0),
    signNow: reports.filter(({ signsAtOwnPeriod }) => signsAtOwnPeriod).length,
    rewritten: past.map((round) => {
      const message = otherBlock(round);
      const forgery = bls.aggregateSignatures(blsKeys.map((key) => bls.sign(key, message)));
      const forgedByAll = reports.every(({ earlier }) => earlier.find(({ period }) => period === round)!.forged);
      return {
        round,
        bls: noble.fastAggregateVerify(blsPublicKeys, message, forgery) ? toHex(forgery) : null,
        pixel: forgedByAll ? 'forged' : null,
      };
    }),
  };
}
