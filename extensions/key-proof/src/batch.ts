import { requireList } from '@tutti/wasm-bls/kernel';
import { type ProvedStatement, type ReadProof, readProof } from './readProof.ts';
import type { ProofSetting } from './setting.ts';
import { proofsHold } from './verify.ts';

/** Result of a batch verification, and its cost. */
export interface BatchResult {
  /** Positions of the invalid proofs, ascending. */
  readonly invalid: readonly number[];
  /**
   * Number of computed sums over all keys and generators: 0 if no proof is well-formed, 1 if all well-formed proofs are
   * valid. These sums are the expensive part of the verification.
   */
  readonly sums: number;
}

/** A well-formed proof and its position in the batch. */
interface PlacedProof {
  readonly position: number;
  readonly proof: ReadProof;
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
  const invalid: number[] = [];
  const wellFormed: PlacedProof[] = [];
  for (const [position, one] of proved.entries()) {
    const proof = readProof(setting, one);
    if (proof === undefined) invalid.push(position);
    else wellFormed.push({ position, proof });
  }
  let sums = 0;

  const holds = (part: readonly PlacedProof[]): boolean => {
    sums++;
    return proofsHold(
      setting,
      part.map(({ proof }) => proof),
    );
  };
  /** Finds the invalid proofs in a part that contains at least one. */
  const search = (part: readonly PlacedProof[]): void => {
    if (part.length === 1) {
      invalid.push(part[0]!.position);
      return;
    }
    const half = part.length >> 1;
    const [low, high] = [part.slice(0, half), part.slice(half)];
    if (holds(low)) search(high);
    else {
      search(low);
      if (!holds(high)) search(high);
    }
  };

  if (wellFormed.length > 0 && !holds(wellFormed)) search(wellFormed);
  return { invalid: invalid.sort((a, b) => a - b), sums };
}
