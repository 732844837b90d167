/** Positions of the parts of a drawing, px. */
export interface StrategyLayout {
  readonly width: number;
  readonly height: number;
  /** Left edge of the lanes and of the columns. */
  readonly left: number;
  /** Columns of the subnets. `width` is the width of one column. Every `every`-th column has a number. */
  readonly columns: { readonly top: number; readonly height: number; readonly width: number; readonly every: number };
  /** Lanes of the provers. `height` is the height of one lane. */
  readonly lanes: { readonly top: number; readonly height: number };
  /** Whether the bars have enough space for text. */
  readonly hasWords: boolean;
  x(timeMs: number): number;
  /** Returns the top of the lane of a prover. */
  y(position: number): number;
  /** Returns the prover and the time at a given point, or undefined for a point outside the lanes. */
  at(x: number, y: number): { readonly position: number; readonly timeMs: number } | undefined;
}

/** Margins, px. */
const left = 26;
const right = 4;
/** Maximum total height of the lanes, px. With many provers, the minimum height of a lane takes precedence. */
const lanesHeight = 288;
/** Minimum and maximum height of one lane, px. */
const laneHeights = { min: 3, max: 20 };
/** Position and height of the columns, px. */
const columnsAt = { top: 18, height: 52 };
/** Height above the lanes, px: the columns with their numbers, and the names of the intervals. */
const lanesTop = columnsAt.top + columnsAt.height + 58;
/** Height of the time axis below the lanes, px. */
const axisHeight = 22;
/** Minimum distance between the numbers of two columns, px. */
const numberWidth = 15;

/**
 * Computes the layout of a strategy's drawing.
 *
 * @param max maximum total height, px. With many provers, the minimum height of a lane takes precedence.
 */
export function strategyLayout(
  width: number,
  { subnets, provers, slotMs }: { readonly subnets: number; readonly provers: number; readonly slotMs: number },
  max = Number.POSITIVE_INFINITY,
): StrategyLayout {
  const room = Math.max(60, width - left - right);
  const forLanes = Math.min(lanesHeight, max - lanesTop - axisHeight);
  const height = Math.max(laneHeights.min, Math.min(laneHeights.max, Math.floor(forLanes / provers)));
  const columnWidth = room / subnets;
  const end = lanesTop + height * provers;
  return {
    width,
    height: end + axisHeight,
    left,
    columns: { ...columnsAt, width: columnWidth, every: Math.ceil(numberWidth / columnWidth) },
    lanes: { top: lanesTop, height },
    hasWords: height >= 12,
    x: (timeMs) => left + (timeMs / slotMs) * room,
    y: (position) => lanesTop + position * height,
    at: (x, y) => {
      if (y < lanesTop || y >= end || x < left || x > left + room) return undefined;
      return { position: Math.floor((y - lanesTop) / height), timeMs: ((x - left) / room) * slotMs };
    },
  };
}
