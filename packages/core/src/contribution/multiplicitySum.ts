import { mostMultiplicity } from './multiplicityCode.ts';

/** The group of the public keys, handed in. The identity is a key like any other: sums may cancel out on the way. */
export interface KeyGroup<Key> {
  addKeys(a: Key, b: Key): Key;
  negateKey(key: Key): Key;
}

/** Sums of the keys of each `span` validators in a row, made once, when the committee is known. */
export interface KeyTotals<Key> {
  readonly span: number;
  readonly keys: readonly Key[];
}

/**
 * The sum of keys times their multiplicities, by buckets: a key is added to the bucket of its multiplicity, and the
 * buckets are summed up with their weights by two additions each, instead of one multiplication a key.
 *
 * With totals, only those who differ from their span's commonest multiplicity cost an addition: Horn's subtraction from
 * the committee's total ("Verification time for collections") for counts instead of bits. Spans should be
 * subcommittees, of which each has its own.
 *
 * @param counts one a key, 0 to 15. @returns undefined where all are 0.
 */
export function sumOfMultiples<Key>(
  keys: readonly Key[],
  counts: Uint8Array,
  group: KeyGroup<Key>,
  totals?: KeyTotals<Key>,
): Key | undefined {
  const plus = (a: Key | undefined, b: Key | undefined) =>
    a === undefined ? b : b === undefined ? a : group.addKeys(a, b);
  const buckets: (Key | undefined)[] = [];
  const put = (key: Key, multiplicity: number) => {
    const bucket = Math.abs(multiplicity);
    buckets[bucket] = plus(buckets[bucket], multiplicity < 0 ? group.negateKey(key) : key);
  };
  const commons = totals?.keys.map((total, index) => {
    const common = commonest(counts.subarray(index * totals.span, (index + 1) * totals.span));
    if (common > 0) put(total, common);
    return common;
  });
  counts.forEach((count, member) => {
    const common = commons === undefined ? 0 : commons[Math.floor(member / totals!.span)]!;
    if (count !== common) put(keys[member]!, count - common);
  });
  let running: Key | undefined;
  let sum: Key | undefined;
  for (let bucket = mostMultiplicity; bucket > 0; bucket--) {
    running = plus(running, buckets[bucket]);
    sum = plus(sum, running);
  }
  return sum;
}

/** Returns the totals that {@link sumOfMultiples} takes. The last span may be shorter. */
export function keyTotals<Key>(keys: readonly Key[], span: number, group: KeyGroup<Key>): KeyTotals<Key> {
  const totals: Key[] = [];
  for (let start = 0; start < keys.length; start += span) {
    totals.push(keys.slice(start, start + span).reduce((sum, key) => group.addKeys(sum, key)));
  }
  return { span, keys: totals };
}

/** The multiplicity that most of them have; of several the smallest. */
function commonest(counts: Uint8Array): number {
  const tally = new Int32Array(mostMultiplicity + 1);
  for (const count of counts) tally[count]!++;
  return tally.indexOf(Math.max(...tally));
}
