/**
 * Positions in the progress picture, on one time axis: a strip with one row per node or group of nodes, and the curves
 * below it.
 */
export interface ProgressLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly strip: { readonly top: number; readonly bottom: number };
  readonly curves: { readonly top: number; readonly bottom: number };
}

export function progressLayout(nodes: number, width: number): ProgressLayout {
  const narrow = width < 560;
  const stripHeight = Math.min(280, Math.max(120, Math.min(nodes, 64) * 3.5));
  const strip = { top: 4, bottom: 4 + Math.round(stripHeight) };
  const curves = { top: strip.bottom + 22, bottom: strip.bottom + 22 + (narrow ? 96 : 120) };
  return {
    width,
    height: curves.bottom + 26,
    left: narrow ? (nodes < 10_000 ? 34 : 52) : 58,
    right: width - (narrow ? 20 : 22),
    strip,
    curves,
  };
}

/** Returns the row at `y`, or undefined outside the strip. */
export function rowAt(layout: ProgressLayout, rows: number, x: number, y: number): number | undefined {
  const { strip, left, right } = layout;
  if (x < left || x > right || y < strip.top || y >= strip.bottom) return undefined;
  return Math.min(rows - 1, Math.floor(((y - strip.top) / (strip.bottom - strip.top)) * rows));
}

/** Returns the middle of a row. */
export function rowY(layout: ProgressLayout, rows: number, row: number): number {
  const { strip } = layout;
  return strip.top + ((row + 0.5) / rows) * (strip.bottom - strip.top);
}

/** Returns the time at `x`, within the run. */
export function timeAt(layout: ProgressLayout, endUs: number, x: number): number {
  const share = (x - layout.left) / (layout.right - layout.left);
  return Math.min(1, Math.max(0, share)) * endUs;
}
