import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { type G1Group, loadG1 } from '@tutti/wasm-bls/kernel';
import { type Generators, hashGenerators } from '../src/generators.ts';
import { type ProofSetting, proofSetting } from '../src/setting.ts';

/** All libraries with the group G1. */
export const groups: readonly G1Group[] = [await loadG1(), await loadG1({ engine: 'noble' })];

/** Size of the largest committee in the tests. */
export const maxKeys = 256;

const bls = await loadBls();
const keys: Uint8Array[] = [];

/** Returns the first keys of a committee whose keys are the same in every run. */
export function committeeKeys(count: number): Uint8Array[] {
  while (keys.length < count) keys.push(bls.publicKey(insecureSecretKey(bls, 1, keys.length)));
  return keys.slice(0, count);
}

const generators = new Map<string, Generators>();

/**
 * Returns a setting for a test. Generators are hashed once per domain and number of keys, so that a setting does not
 * depend on earlier calls. The fast library hashes the generators for all libraries: group.test.ts checks that the
 * other libraries hash to the same points.
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

/** Returns a copy with one flipped bit. */
export function flipped(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
}

/** Returns pseudorandom multiplicities of four bits. */
export function someMultiplicities(count: number, seed = 7): Uint8Array {
  return Uint8Array.from({ length: count }, (_, i) => (Math.imul(i + seed, 0x9e3779b1) >>> 28) & 15);
}
