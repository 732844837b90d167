import { infinities, joinBytes, slicePoints } from '@tutti/wasm-bls/kernel';
import { argue, type Witness } from './argue.ts';
import { countsOf, proofRounds, tableInverses } from './layout.ts';
import type { ProofSetting } from './setting.ts';
import { requireMultiplicities, type Statement, statementOf } from './statement.ts';

/**
 * Proves that an aggregated key is the sum of the committee's keys times multiplicities of four bits. The proof also
 * shows that a bitfield marks the keys whose multiplicity is not 0 (Horn: "Aggregation using SNARKs"; the README). The
 * proof is short, but not zero-knowledge.
 *
 * @param multiplicities one byte per key, 0 to 15, not all 0.
 * @param statement claim about the multiplicities. Default: the true statement. A false statement gives a proof that no
 * verifier accepts.
 * @returns a proof of 220 bytes, plus 96 for each doubling of the number of signers: 796 for 64 signers, and also for
 * 33.
 * @throws RangeError under the same conditions as statementOf.
 */
export function prove(
  setting: ProofSetting,
  multiplicities: Uint8Array,
  statement: Statement = statementOf(setting, multiplicities),
): Uint8Array {
  requireMultiplicities(setting, multiplicities);
  return argue(setting, statement, witnessOf(setting, multiplicities));
}

/**
 * Returns the non-zero multiplicities and their keys, padded to a power of two with multiplicity 1 and the point at
 * infinity as key.
 */
export function witnessOf(setting: ProofSetting, multiplicities: Uint8Array): Witness {
  const support = [...multiplicities.keys()].filter((i) => multiplicities[i] !== 0);
  const values = new Uint8Array(2 ** proofRounds(support.length)).fill(1);
  for (const [j, i] of support.entries()) values[j] = multiplicities[i]!;
  const keys = support.map((i) => slicePoints(setting.keys, i, i + 1));
  return {
    multiplicities: Array.from(values, BigInt),
    keys: joinBytes([...keys, infinities(values.length - support.length)]),
    counts: countsOf(values),
    inversesAt: (x) => {
      const table = tableInverses(x);
      return Array.from(values, (value) => table[value - 1]!);
    },
  };
}
