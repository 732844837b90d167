/** A sender, by the rank that it has with a receiver: no two of a receiver's senders have the same (v1.03 section 3.3). */
export interface Ranked {
  readonly sender: number;
  readonly rank: number;
}

// Arrays in ascending order of rank.

/** How many rank before. */
export function countBefore(list: readonly Ranked[], rank: number): number {
  let count = 0;
  for (let limit = list.length; count < limit; ) {
    const middle = (count + limit) >>> 1;
    if (list[middle]!.rank < rank) count = middle + 1;
    else limit = middle;
  }
  return count;
}

/** The one of that rank. */
export function ofRank<T extends Ranked>(list: readonly T[], rank: number): T | undefined {
  const found = list[countBefore(list, rank)];
  return found?.rank === rank ? found : undefined;
}

/** @param one of a rank that nobody in the list has. */
export function insert<T extends Ranked>(list: T[], one: T): void {
  let at = list.length;
  list.push(one);
  for (; at > 0 && list[at - 1]!.rank > one.rank; at--) list[at] = list[at - 1]!;
  list[at] = one;
}

export function removeAt<T extends Ranked>(list: T[], index: number): void {
  for (let at = index + 1; at < list.length; at++) list[at - 1] = list[at]!;
  list.pop();
}

/** @returns whether there was one of that rank. */
export function remove(list: Ranked[], rank: number): boolean {
  const at = countBefore(list, rank);
  if (list[at]?.rank !== rank) return false;
  removeAt(list, at);
  return true;
}
