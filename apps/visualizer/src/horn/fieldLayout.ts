/** Arrangement of a slot's votes in the field. All numbers are powers of two, as in the post. */
export interface FieldGrid {
  /** Number of committees per row. */
  readonly columns: number;
  /** Number of committees per column. */
  readonly rows: number;
  /** Size of one committee, in votes. */
  readonly committee: { readonly width: number; readonly height: number };
  /** Size of one subcommittee, in votes. */
  readonly subcommittee: { readonly width: number; readonly height: number };
}

/**
 * Returns a field that is a square, or twice as wide as tall.
 *
 * @param committees number of committees. @param committee number of votes per committee. @param subcommittee number of
 * votes per subcommittee.
 */
export function fieldGrid(committees: number, committee: number, subcommittee: number): FieldGrid {
  const [all, one, part] = [committees * committee, committee, subcommittee].map(Math.log2) as [number, number, number];
  // Two tall committees together form a square. A single committee is drawn wide.
  const across = committees === 1 ? Math.ceil : Math.floor;
  const sizeOf = (votes: number) => ({ width: 2 ** across(votes / 2), height: 2 ** (votes - across(votes / 2)) });
  const size = sizeOf(one);
  return {
    columns: 2 ** Math.ceil(all / 2) / size.width,
    rows: 2 ** Math.floor(all / 2) / size.height,
    committee: size,
    subcommittee: sizeOf(part),
  };
}

/** Positions of committees, CSS pixels. */
export interface FieldLayout {
  readonly width: number;
  readonly height: number;
  /** Height of the line with a committee's number above its block; 0 if numbers are not drawn. */
  readonly label: number;
  /** Space between neighbouring committees. */
  readonly gap: number;
  /** Size of the block of one committee. */
  readonly block: { readonly width: number; readonly height: number };
}

const labelHeight = 15;
/**
 * Minimum width of a block for which a number is drawn, CSS pixels. The number of a single committee is never drawn.
 */
const minNamedWidth = 17;
/** Margin around the blocks, which leaves space for the frame of the selected block, CSS pixels. */
const edge = 2;

/**
 * Computes the layout of a field for a maximum width, CSS pixels.
 *
 * @param ratio screen pixels per CSS pixel. If a vote is at least as large as one screen pixel, its size is rounded
 * down to whole screen pixels.
 */
export function fieldLayout(grid: FieldGrid, width: number, ratio: number): FieldLayout {
  const gap = width < 480 ? 4 : 8;
  const room = (width - 2 * edge - gap * (grid.columns - 1)) / grid.columns;
  const pixels = (room * ratio) / grid.committee.width;
  const scale = (pixels >= 1 ? Math.floor(pixels) : pixels) / ratio;
  const block = { width: grid.committee.width * scale, height: grid.committee.height * scale };
  const label = block.width < minNamedWidth || grid.columns * grid.rows === 1 ? 0 : labelHeight;
  return {
    width: grid.columns * block.width + gap * (grid.columns - 1) + 2 * edge,
    height: grid.rows * (block.height + label) + gap * (grid.rows - 1) + 2 * edge,
    label,
    gap,
    block,
  };
}

/** Returns the position of the upper left corner of a committee's block, CSS pixels. */
export function blockAt(
  grid: FieldGrid,
  { block, gap, label }: FieldLayout,
  committee: number,
): { x: number; y: number } {
  const [column, row] = [committee % grid.columns, Math.floor(committee / grid.columns)];
  return { x: edge + column * (block.width + gap), y: edge + row * (block.height + label + gap) + label };
}

/** Returns the upper left corner of a subcommittee within its committee's block, in votes. */
export function cornerOf({ committee, subcommittee }: FieldGrid, which: number): { x: number; y: number } {
  const across = committee.width / subcommittee.width;
  return { x: (which % across) * subcommittee.width, y: Math.floor(which / across) * subcommittee.height };
}

/** Committee, and the index of a subcommittee within this committee. */
export interface FieldPlace {
  readonly committee: number;
  readonly subcommittee: number;
}

/** Returns the committee and the subcommittee at a point, CSS pixels, or undefined outside of the blocks. */
export function placeUnder(grid: FieldGrid, layout: FieldLayout, x: number, y: number): FieldPlace | undefined {
  const { block, gap, label } = layout;
  const column = Math.floor((x - edge) / (block.width + gap));
  const row = Math.floor((y - edge) / (block.height + label + gap));
  if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return undefined;
  const committee = row * grid.columns + column;
  const corner = blockAt(grid, layout, committee);
  const within = { x: x - corner.x, y: y - corner.y };
  if (within.x >= block.width || within.y < 0 || within.y >= block.height) return undefined;
  const scale = block.width / grid.committee.width;
  const across = grid.committee.width / grid.subcommittee.width;
  const part = {
    x: Math.floor(within.x / (grid.subcommittee.width * scale)),
    y: Math.floor(within.y / (grid.subcommittee.height * scale)),
  };
  return { committee, subcommittee: part.y * across + part.x };
}
