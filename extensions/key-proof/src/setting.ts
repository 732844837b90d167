import {
  type G1Group,
  joinBytes,
  misuse,
  requireBytesList,
  requireMethods,
  requireObject,
  requireSome,
  uint32Bytes,
} from '@tutti/wasm-bls/kernel';
import type { Generators } from './generators.ts';
import { Transcript } from './transcript.ts';

/** The public keys of a committee and their generators, prepared once for all proofs about aggregates of these keys. */
export interface ProofSetting {
  readonly group: G1Group;
  readonly keyCount: number;
  /** Keys: `keyCount` points of 96 bytes. */
  readonly keys: Uint8Array;
  readonly generators: Generators;
  /** Digest of the keys in their order, the number of keys, and the generators' domain, 32 bytes. */
  readonly digest: Uint8Array;
}

/**
 * Creates a setting for a committee.
 *
 * @param publicKeys at least one key, 48 bytes each, compressed G1. The registry must have verified the proofs of
 * possession of these keys.
 * @param generators generators for at least as many keys, created locally by hashGenerators.
 * @throws RangeError if there is no key, a key is not valid, or there are too few generators.
 */
export function proofSetting(group: G1Group, publicKeys: readonly Uint8Array[], generators: Generators): ProofSetting {
  requireMethods('group', group, ['decode', 'hash', 'combine', 'fold']);
  requireBytesList('publicKeys', publicKeys);
  requireSome('publicKeys', publicKeys);
  requireObject('generators', generators);
  const keyCount = publicKeys.length;
  // The negated condition also rejects generators without a count.
  if (!(generators.count >= keyCount))
    throw misuse(RangeError, 'generators', `${keyCount} or more, one per key`, String(generators.count));
  const keys = publicKeys.map((bytes, i) => {
    const key = group.decode(bytes);
    // The flag 0x40 marks the point at infinity.
    if (key === undefined || key[0] === 0x40)
      throw misuse(RangeError, `publicKeys[${i}]`, 'a valid public key', 'an invalid one');
    return key;
  });
  const transcript = new Transcript();
  transcript.append('generators', new TextEncoder().encode(generators.domain));
  transcript.append('key count', uint32Bytes(keyCount));
  for (const key of publicKeys) transcript.append('key', key);
  return { group, keyCount, keys: joinBytes(keys), generators, digest: transcript.digest('setting') };
}

/** Checks that a value has the fields of a setting. */
export function requireSetting(setting: ProofSetting): void {
  requireObject('setting', setting);
  requireObject('setting.group', setting.group);
  requireObject('setting.generators', setting.generators);
}
