/** Where the nodes of one class of link are drawn: cells, row after row, the largest host first. */
export interface NodeGrid {
  /** Pixels from one cell to the next. */
  readonly pitch: number;
  readonly columns: number;
  readonly rows: number;
  /** Nodes in the order of their cells. */
  readonly nodes: Int32Array;
  /** Side of each cell's square, pixels, by the order of the cells: its area is as its validators. */
  readonly sides: Float64Array;
}

/**
 * Lays out the nodes of a class.
 *
 * @param width pixels that there are. @param pitch pixels a cell is wide.
 */
export function nodeGrid(
  validators: Int32Array,
  classOf: Uint8Array,
  of: number,
  width: number,
  pitch: number,
): NodeGrid {
  const nodes = Int32Array.from(classOf.keys()).filter((node) => classOf[node] === of);
  nodes.sort((a, b) => validators[b]! - validators[a]! || a - b);
  const columns = Math.max(1, Math.floor(width / pitch));
  const most = Math.max(1, validators[nodes[0] ?? 0] ?? 1);
  const sides = Float64Array.from(nodes, (node) =>
    validators[node] === 0 ? 0 : Math.max(1.5, (pitch - 1) * Math.sqrt(validators[node]! / most)),
  );
  return { pitch, columns, rows: Math.ceil(nodes.length / columns), nodes, sides };
}
