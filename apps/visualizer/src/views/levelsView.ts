import { render, svg } from 'lit-html';
import { ms, percent } from '../formatNumber.ts';
import { columnAt, LevelPart, parts } from '../timeline/grids.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { drawingIn, lineFrom, set, textAt } from './drawing.ts';

/**
 * Rows of the levels' picture, from the highest level down as in the tree. Each row is a bar that represents all nodes.
 */
interface LevelsLayout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly barHeight: number;
  /** Returns the top of a level's bar. */
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

/**
 * Segments of a bar from left to right: nodes with all contributions of a level, at least half, less than half, and
 * none.
 */
const order = [
  ['all', LevelPart.all],
  ['most', LevelPart.most],
  ['some', LevelPart.some],
  ['none', LevelPart.none],
] as const;

/**
 * Draws the progress of all nodes on each level, for runs whose messages were not recorded or are too numerous to draw.
 */
export class LevelsView {
  readonly #host: HTMLElement;
  readonly #svg: SVGSVGElement;
  #index: RunIndex | undefined;
  #layout: LevelsLayout | undefined;
  /** Number of contributions that were being verified at the time of the last drawing. */
  checking = 0;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#svg = drawingIn(host, 'levels', 'Nodes with a complete level');
    this.#svg.style.display = 'none';
  }

  show(index: RunIndex): void {
    this.#index = index;
    this.#svg.style.display = '';
    this.resize();
  }

  clear(): void {
    this.#index = undefined;
    this.#svg.style.display = 'none';
  }

  resize(): void {
    if (!this.#index) return;
    this.#layout = levelsLayout(this.#index.levels.levels, Math.max(280, this.#host.clientWidth));
    const { width, height } = this.#layout;
    set(this.#svg, { width, height });
  }

  draw(timeUs: number): void {
    const [index, layout] = [this.#index, this.#layout];
    if (!index || !layout) return;
    const { levels, columns, nodes, checking } = index.levels;
    const { left, right, height, rowY, barHeight } = layout;
    const known = Math.min(index.grid.known - 1, columnAt(timeUs, columns, index.spanUs));
    this.checking = 0;
    const words: string[] = [];
    const rows = Array.from({ length: levels }, (_, above) => {
      const level = levels - above;
      const at = (level - 1) * columns + known;
      const counts = order.map(([, part]) => (known < 0 ? Number(part === LevelPart.none) : nodes[at * parts + part]!));
      const all = counts.reduce((sum, count) => sum + count, 0);
      const y = rowY(level);
      let x = left;
      const bars = order.map(([name], place) => {
        const width = (counts[place]! / Math.max(1, all)) * (right - left);
        x += width;
        return svg`<rect class="share ${name}" y=${y} height=${barHeight} x=${(x - width).toFixed(2)} width=${width.toFixed(2)}></rect>`;
      });
      const share = percent(counts[0]!, all);
      words.push(`Level ${level}: ${share}.`);
      if (known >= 0) this.checking += checking[at]!;
      const middle = y + barHeight / 2;
      const isComplete = all > 0 && counts[0] === all;
      return svg`${textAt('name', [left - 10, middle], `level ${level}`, { anchor: 'end', middle: true })}${bars}${textAt(isComplete ? 'tally complete' : 'tally', [right + 10, middle], share, { middle: true })}`;
    });
    const foot = height - 10;
    const shares = [
      [0, '0'],
      [0.5, 'half'],
      [1, 'all'],
    ] as const;
    const ticks = shares.map(([share, name]) => {
      const x = left + share * (right - left);
      const line = lineFrom('tick', [x, rowY(levels) - 4], [x, foot - 14]);
      return svg`${line}${textAt('head', [x, foot], name, { anchor: 'middle' })}`;
    });
    set(this.#svg, { 'aria-label': `Nodes with a complete level at ${ms(timeUs)}. ${words.join(' ')}` });
    render(
      [textAt('head', [left, 12], 'of all nodes'), textAt('head', [right + 10, 12], 'have all'), ticks, rows],
      this.#svg,
    );
  }
}
