import { toHex } from '@tutti/core/input';
import type { RegistryEntry } from '@tutti/core/registry';
import { canonicalNetworkKey } from '@tutti/core/registry';

/** Keys of an entry that no other entry of a registry may have, each written as one text. */
export type Keys = Pick<RegistryEntry, 'publicKey' | 'networkKey'>;

/** Two entries with the same key: the later one's place, and the place of the first that has it. */
export interface SharedKey {
  readonly index: number;
  readonly earlier: number;
  readonly what: keyof Keys;
  /** Hexadecimal. */
  readonly value: string;
}

/**
 * The rule for duplicates, which set-ups and readers of registries share: no two entries have the same BLS key or the
 * same network key. Nor is one BLS key the negative of another: both would be valid, and signatures by both a sum of
 * nothing, which no verifier takes though nobody lied. A network key is the one that X25519 reads, however it is written.
 *
 * An address is not a key: nobody can prove that an address is theirs, it may change without making another registry,
 * and whoever hears a packet for another's network key cannot open it. Entries may share one.
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

/** Bytes of a compressed point of G1, half of one of G2; Pixel's keys have the suite before it. */
const pointBytes = 48;
/** Of a compressed point the bit that tells it from its negative. */
const signBit = 0x20;

function unsigned(publicKey: Uint8Array): Uint8Array {
  const x = publicKey.slice();
  x[x.length % pointBytes]! &= ~signBit;
  return x;
}
