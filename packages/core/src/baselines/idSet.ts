/**
 * Sets of ids in [0, N), a bit each in plain words: what a node looks at with every message is to stay in the
 * processor's cache, even in a run of thousands of nodes.
 */
export function idSet(nodes: number): Int32Array {
  return new Int32Array((nodes + 31) >>> 5);
}

export function hasId(set: Int32Array, id: number): boolean {
  return ((set[id >>> 5]! >>> (id & 31)) & 1) === 1;
}

export function addId(set: Int32Array, id: number): void {
  set[id >>> 5]! |= 1 << (id & 31);
}

export function removeId(set: Int32Array, id: number): void {
  set[id >>> 5]! &= ~(1 << (id & 31));
}
