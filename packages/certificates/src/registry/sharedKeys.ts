import { canonicalNetworkKey, type RegistryEntry } from '@tutti/core';
import { toHex } from '@tutti/core/input';

/** Keys that no two entries of a registry may share, each in one notation. */
export type Keys = Pick<RegistryEntry, 'publicKey' | 'networkKey'>;

/** Two entries with the same key: the position of the later entry, and that of the first one. */
export interface SharedKey {
  readonly index: number;
  readonly earlier: number;
  readonly what: keyof Keys;
  /** The key as hexadecimal digits. */
  readonly value: string;
}

/**
 * Returns the duplicate keys of a registry, by the rule that its authors and readers share. No two entries have the
 * same BLS key or the same network key. No BLS key is the negative of another: signatures by both could sum to
 * infinity, which no verifier accepts, although both members are honest. Network keys are compared in the form in which
 * X25519 reads them.
 *
 * Addresses are not keys, and entries may share one. No member can prove that it owns an address. An address may change
 * without a new registry. A node that receives a packet for another node's network key cannot open it.
 */
export function sharedKeys(entries: readonly Keys[]): SharedKey[] {
  const first = new Map<string, number>();
  const shared: SharedKey[] = [];
  for (const [index, { publicKey, networkKey }] of entries.entries())
    for (const [what, key, value] of [
      ['publicKey', toHex(unsigned(publicKey)), toHex(publicKey)],
      ['networkKey', toHex(canonicalNetworkKey(networkKey)), toHex(canonicalNetworkKey(networkKey))],
    ] as const) {
      const earlier = first.get(`${what} ${key}`);
      if (earlier === undefined) first.set(`${what} ${key}`, index);
      else shared.push({ index, earlier, what, value });
    }
  return shared;
}

/** Length of a compressed point of G1, half of that of G2, bytes. In Pixel's keys the suite precedes the point. */
const pointBytes = 48;
/** Bit of a compressed point that distinguishes it from its negative. */
const signBit = 0x20;

function unsigned(publicKey: Uint8Array): Uint8Array {
  const x = publicKey.slice();
  x[x.length % pointBytes]! &= ~signBit;
  return x;
}
