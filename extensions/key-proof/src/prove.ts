import { infinities, joinBytes, slicePoints } from '@tutti/wasm-bls/kernel';
import { argue, type Witness } from './argue.ts';
import { proofRounds } from './layout.ts';
import { countsOf, tableInverses } from './multiplicities.ts';
import type { ProofSetting } from './setting.ts';
import { requireMultiplicities, type Statement, statementOf } from './statement.ts';

/**
 * Proves that an aggregated key is the sum of the committee's keys, each as often as a multiplicity of four bits says,
 * and that a bitfield names those whose multiplicity is not 0 (Horn: "Aggregation using SNARKs";
 * the README). Nothing is hidden: it is short, not zero-knowledge.
 *
 * @param multiplicities one byte a key, 0 to 15, not all 0.
 * @param statement what is claimed of them; the true one if undefined. A false one makes a proof that nobody accepts.
 * @returns 220 bytes, and 96 more each time that the signers double: 796 for 64, as for 33.
 * @throws RangeError as statementOf.
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
 * The multiplicities that are not 0 and their keys, filled up to a power of two by members of multiplicity 1 whose key
 * is infinity.
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
