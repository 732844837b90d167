import { requireList } from '@tutti/wasm-bls/kernel';
import { type ProvedStatement, type ReadProof, readProof } from './readProof.ts';
import type { ProofSetting } from './setting.ts';
import { proofsHold } from './verify.ts';

/** Result of a batch verification, and its cost. */
export interface BatchResult {
  /** Positions of the invalid proofs, ascending. */
  readonly invalid: readonly number[];
  /**
   * Number of sums over all keys and generators: one if all proofs are valid. Such a sum is the expensive part of each
   * step of a search.
   */
  readonly sums: number;
}

/**
 * Verifies proofs about aggregates of the same keys together, and finds the invalid proofs by group testing (Horn:
 * "Aggregation using SNARKs"): a part with an invalid proof is halved. Malformed proofs are removed first, and cost no
 * sum.
 *
 * @param proved statements and proofs, each arbitrary data from a peer.
 * @throws TypeError for any argument except a list of statements and proofs.
 */
export function verifyBatch(setting: ProofSetting, proved: readonly ProvedStatement[]): BatchResult {
  requireList('proved', proved);
  const proofs = proved.map((one) => readProof(setting, one));
  const invalid = [...proofs.keys()].filter((i) => proofs[i] === undefined);
  const readable = [...proofs.keys()].filter((i) => proofs[i] !== undefined);
  let sums = 0;

  const holds = (positions: readonly number[]): boolean => {
    sums++;
    return proofsHold(
      setting,
      positions.map((i) => proofs[i] as ReadProof),
    );
  };
  /** Finds the invalid proofs in a part that contains at least one. */
  const search = (positions: readonly number[]): void => {
    if (positions.length === 1) {
      invalid.push(positions[0]!);
      return;
    }
    const half = positions.length >> 1;
    const [low, high] = [positions.slice(0, half), positions.slice(half)];
    if (holds(low)) search(high);
    else {
      search(low);
      if (!holds(high)) search(high);
    }
  };

  if (readable.length > 0 && !holds(readable)) search(readable);
  return { invalid: invalid.sort((a, b) => a - b), sums };
}
