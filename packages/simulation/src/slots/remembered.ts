/**
 * A pure function that remembers its latest results, since the same topics come again in slot after slot.
 *
 * @param keyOf equal for arguments with the same result. @param most results kept.
 */
export function remembered<Args extends readonly unknown[], Result>(
  compute: (...args: Args) => Result,
  keyOf: (...args: Args) => string,
  most: number,
): (...args: Args) => Result {
  const results = new Map<string, Result>();
  return (...args) => {
    const key = keyOf(...args);
    const known = results.get(key);
    const result = known ?? compute(...args);
    // A map is in order of insertion: the first entry is the one that was requested longest ago.
    results.delete(key);
    results.set(key, result);
    if (results.size > most) results.delete(results.keys().next().value!);
    return result;
  };
}
