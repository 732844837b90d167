/** Positions of the parts of a strategy's drawing, px. */
export interface StrategyLayout {
  readonly width: number;
  readonly height: number;
  /** Left edge of the lanes and of the columns. */
  readonly left: number;
  readonly columns: { readonly top: number; readonly height: number; readonly width: number; readonly every: number };
  readonly lanes: { readonly top: number; readonly height: number };
  /** Whether bars have space for text. */
  readonly hasWords: boolean;
  x(timeMs: number): number;
  /** Returns the top of a prover's lane. */
  y(position: number): number;
  /** Returns the prover and the time at a point, or undefined outside the lanes. */
  at(x: number, y: number): { readonly position: number; readonly timeMs: number } | undefined;
}

const left = 26;
const right = 4;
/** Approximate total height of the lanes, px, with the maximum and minimum height of one lane. */
const lanesHeight = 288;
const laneHeights = { least: 3, most: 20 };
/** Height of the parts above and below the lanes, px. */
const around = 150;
/** Width of a column's number, px. */
const numberWidth = 15;

/** @param max maximum total height, px. */
export function strategyLayout(
  width: number,
  { subnets, provers, slotMs }: { readonly subnets: number; readonly provers: number; readonly slotMs: number },
  max = Number.POSITIVE_INFINITY,
): StrategyLayout {
  const room = Math.max(60, width - left - right);
  const forLanes = Math.min(lanesHeight, max - around);
  const height = Math.max(laneHeights.least, Math.min(laneHeights.most, Math.floor(forLanes / provers)));
  const columnWidth = room / subnets;
  const columns = { top: 18, height: 52, width: columnWidth, every: Math.ceil(numberWidth / columnWidth) };
  const lanes = { top: columns.top + columns.height + 58, height };
  const end = lanes.top + height * provers;
  return {
    width,
    height: end + 22,
    left,
    columns,
    lanes,
    hasWords: height >= 12,
    x: (timeMs) => left + (timeMs / slotMs) * room,
    y: (position) => lanes.top + position * height,
    at: (x, y) => {
      if (y < lanes.top || y >= end || x < left || x > left + room) return undefined;
      return { position: Math.floor((y - lanes.top) / height), timeMs: ((x - left) / room) * slotMs };
    },
  };
}
