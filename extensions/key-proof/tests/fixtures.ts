import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { type G1Group, loadG1 } from '@tutti/wasm-bls/kernel';
import { type Generators, hashGenerators } from '../src/generators.ts';
import { type ProofSetting, proofSetting } from '../src/setting.ts';

/** Every library that adds points. */
export const groups: readonly G1Group[] = [await loadG1(), await loadG1({ kernel: 'noble' })];

/** The largest committee that the tests prove anything about. */
export const maxKeys = 256;

const bls = await loadBls();
const keys: Uint8Array[] = [];

/** The first keys of a committee that is the same in every run. */
export function committeeKeys(count: number): Uint8Array[] {
  while (keys.length < count) keys.push(bls.publicKey(insecureSecretKey(bls, 1, keys.length)));
  return keys.slice(0, count);
}

const generators = new Map<string, Generators>();

/**
 * A setting; generators are hashed once per domain and number of them, so that a setting does not depend on earlier calls, and by the quick library for all: group.test.ts holds that the others hash to the same points.
 */
export function settingOf(
  group: G1Group,
  count: number,
  domain?: string,
  publicKeys: readonly Uint8Array[] = committeeKeys(count),
): ProofSetting {
  const name = `${domain} ${Math.ceil(Math.log2(count))}`;
  if (!generators.has(name)) generators.set(name, hashGenerators(groups[0]!, count, domain));
  return proofSetting(group, publicKeys, generators.get(name)!);
}

/** A copy with one bit of it flipped. */
export function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

/** Multiplicities of four bits that look like none in particular. */
export function someMultiplicities(count: number, seed = 7): Uint8Array {
  return Uint8Array.from({ length: count }, (_, i) => (Math.imul(i + seed, 0x9e3779b1) >>> 28) & 15);
}
