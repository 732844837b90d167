import { defaultThreshold, minWeight, weightsOf } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { fittingPeriodMs, Group } from '@tutti/transports';
import type { CryptoSuite } from '@tutti/transports/parts';
import { sharedKeys } from '../registry/sharedKeys.ts';
import type { GroupRegistry, JoinGroupOptions, SigningKernel } from './joinOptions.ts';

/** Public data of rounds, shared by the members of one process that share a registry object. */
const groups = new WeakMap<GroupRegistry, Group>();

/** Returns the public data of a registry's rounds. @throws RangeError if two entries share a key. */
export function groupOf(registry: GroupRegistry, kernel: SigningKernel, crypto: CryptoSuite): Group {
  const made = groups.get(registry);
  if (made !== undefined && made.kernel === kernel) return made;
  const { entries, epoch, threshold, margin } = registry;
  const [shared] = sharedKeys(entries);
  if (shared !== undefined) {
    const { index, earlier, what } = shared;
    const which = what === 'publicKey' ? 'key of entry' : 'network key of entry';
    throw new RangeError(
      `registry: entry ${index} has the ${which} ${earlier}${what === 'publicKey' ? ' or its negative' : ''}`,
    );
  }
  const total = weightsOf(entries)?.reduce((sum, one) => sum + one, 0n) ?? BigInt(entries.length);
  const min = aimedAt(registry, total);
  const group = new Group({ crypto, kernel, entries, epoch, threshold, margin, minWeight: min });
  groups.set(registry, group);
  return group;
}

/** Returns the threshold plus its margin, limited to the total. */
function aimedAt({ threshold = defaultThreshold, margin }: GroupRegistry, total: bigint): bigint {
  const min = minWeight(total, threshold.numerator, threshold.denominator);
  if (margin === undefined) return min;
  const sum = min + minWeight(total, margin.numerator, margin.denominator);
  return sum < total ? sum : total;
}

/** Returns the registry index of a key. @throws RangeError if no entry has the key. */
export function placeOf({ entries }: GroupRegistry, key: Uint8Array): number {
  const own = toHex(key);
  const index = entries.findIndex(({ publicKey }) => toHex(publicKey) === own);
  if (index >= 0) return index;
  throw new RangeError(`key: expected one that the registry has, got the secret of ${own}, which it has not`);
}

const text = new TextEncoder();

/** Returns the seed of a message's round. @param message hash of the message and its height. */
export function seedOf(
  { crypto, digest }: Group,
  message: Uint8Array,
  beacon: Uint8Array = new Uint8Array(0),
): Uint8Array {
  return crypto.sha256([text.encode('tutti message seed v1'), digest, message, beacon]);
}

/** Returns the dissemination period of a group's rounds, ms. */
export function periodOf({ config }: JoinGroupOptions, { peers }: Group): number {
  return config?.disseminationPeriodMs ?? fittingPeriodMs(peers.size);
}
