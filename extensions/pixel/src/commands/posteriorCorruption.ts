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

const text = (history: string, round: number): Uint8Array => new TextEncoder().encode(`${history} block ${round}`);

/**
 * Simulates posterior corruption. In the simulation, a committee signs a block in each round. After the last round, an
 * adversary gets the present secret keys of all members, and tries to sign other blocks for the earlier rounds. Keys
 * follow from the seed, so they are not secret.
 *
 * @param onMember called when a member's stolen key has been tried on all past rounds.
 */
export async function posteriorCorruption(
  members: number,
  rounds: number,
  seed: number,
  onMember?: () => void,
): Promise<CorruptionDocument> {
  const [bls, noble] = [await loadKernel(), await loadBls({ engine: 'noble' })];
  const pixel = await loadPixel({ engine: kernelName(false) });
  const blsKeys = Array.from({ length: members }, (_, index) => insecureSecretKey(bls, seed, index));
  const pairs = Array.from({ length: members }, (_, index) => pixel.keyGen(insecureSeed('signing', seed, index)));
  // The honest rounds. The adversary uses only the keys as they are after the last of these rounds.
  const stolen = pairs.map(({ secretKey }) => {
    let key = secretKey;
    for (let round = 1; round <= rounds; round++) {
      if (round > 1) key = pixel.update(key, round, insecureSeed('update', seed, round));
      pixel.sign(key, text('true', round));
    }
    return key;
  });
  const past = Array.from({ length: rounds - 1 }, (_, i) => i + 1);
  const reports = stolen.map((key, index) => {
    const report = stolenKeyReport(pixel, pairs[index]!.publicKey, key, past, (round) => text('other', round));
    onMember?.();
    return report;
  });
  const blsPublicKeys = blsKeys.map((key) => bls.publicKey(key));
  return {
    members,
    rounds,
    attempts: reports.flatMap(({ earlier }) => earlier).reduce((sum, { attempts }) => sum + attempts, 0),
    signNow: reports.filter(({ signsAtOwnPeriod }) => signsAtOwnPeriod).length,
    rewritten: past.map((round) => {
      const message = text('other', round);
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
