/** The rows of the levels' picture: from the highest level down, like the tree beside it, each a bar of all nodes. */
export interface LevelsLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly barHeight: number;
  /** The top of a level's bar. */
  readonly rowY: (level: number) => number;
}

export function levelsLayout(levels: number, width: number): LevelsLayout {
  const narrow = width < 480;
  const headHeight = 28;
  const pitch = narrow ? 28 : Math.min(40, Math.max(28, 560 / Math.max(1, levels)));
  return {
    width,
    height: headHeight + Math.max(1, levels) * pitch + 22,
    left: narrow ? 58 : 66,
    right: width - (narrow ? 66 : 84),
    barHeight: pitch * 0.5,
    rowY: (level) => headHeight + (levels - level) * pitch,
  };
}
