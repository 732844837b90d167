/**
 * Creates a set of ids in [0, N), one bit per id. The node reads the set for every message. The set is small enough for
 * the processor's cache, even in a run with thousands of nodes.
 */
export function idSet(nodes: number): Int32Array {
  return new Int32Array((nodes + 31) >>> 5);
}

/** Returns whether a set contains an id. */
export function hasId(set: Int32Array, id: number): boolean {
  return ((set[id >>> 5]! >>> (id & 31)) & 1) === 1;
}

/** Adds an id to a set. */
export function addId(set: Int32Array, id: number): void {
  set[id >>> 5]! |= 1 << (id & 31);
}

/** Removes an id from a set. */
export function removeId(set: Int32Array, id: number): void {
  set[id >>> 5]! &= ~(1 << (id & 31));
}
