import { type Selection, select } from 'd3';
import { columnAt } from '../timeline/heldGrid.ts';
import { LevelPart, parts } from '../timeline/levelGrid.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { ms } from '../words.ts';

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

/** From the left of a bar: nodes with all of a level, with half or more, with less, with nothing. */
const order = [
  ['all', LevelPart.all],
  ['most', LevelPart.most],
  ['some', LevelPart.some],
  ['none', LevelPart.none],
] as const;

interface DrawnLevel {
  readonly level: number;
  readonly bars: readonly Selection<SVGRectElement, unknown, null, undefined>[];
  readonly share: Selection<SVGTextElement, unknown, null, undefined>;
}

/** The progress of all nodes on each level: drawn if a run's messages were not kept, or are too many to see. */
export class LevelsView {
  readonly #host: HTMLElement;
  readonly #svg: Selection<SVGSVGElement, unknown, null, undefined>;
  #index: RunIndex | undefined;
  #levels: DrawnLevel[] = [];
  #left = 0;
  #right = 0;
  /** How many nodes the last drawing showed checking a contribution. */
  checking = 0;

  constructor(host: HTMLElement) {
    this.#host = host;
    this.#svg = select(host)
      .append('svg')
      .attr('class', 'levels')
      .attr('role', 'img')
      .attr('aria-label', 'Nodes that have all of a level')
      .style('display', 'none');
  }

  show(index: RunIndex): void {
    this.#index = index;
    this.#svg.style('display', null);
    this.resize();
  }

  clear(): void {
    this.#index = undefined;
    this.#svg.style('display', 'none').selectAll('*').remove();
  }

  resize(): void {
    if (!this.#index) return;
    const { levels } = this.#index.levels;
    const layout = levelsLayout(levels, Math.max(280, this.#host.clientWidth));
    const svg = this.#svg;
    svg.selectAll('*').remove();
    svg.attr('width', layout.width).attr('height', layout.height);
    [this.#left, this.#right] = [layout.left, layout.right];
    const head = (x: number, text: string) =>
      svg.append('text').attr('class', 'head').attr('x', x).attr('y', 12).text(text);
    head(layout.left, 'of all nodes');
    head(layout.right + 10, 'have all');
    const foot = layout.height - 10;
    for (const [share, words] of [
      [0, '0'],
      [0.5, 'half'],
      [1, 'everyone'],
    ] as const) {
      const x = layout.left + share * (layout.right - layout.left);
      svg
        .append('line')
        .attr('class', 'tick')
        .attr('x1', x)
        .attr('x2', x)
        .attr('y1', layout.rowY(levels) - 4)
        .attr('y2', foot - 14);
      svg.append('text').attr('class', 'head').attr('x', x).attr('y', foot).attr('text-anchor', 'middle').text(words);
    }
    this.#levels = Array.from({ length: levels }, (_, above) => {
      const level = levels - above;
      const y = layout.rowY(level);
      const middle = y + layout.barHeight / 2;
      const text = (x: number, className: string) =>
        svg.append('text').attr('class', className).attr('x', x).attr('y', middle).attr('dy', '0.34em');
      text(layout.left - 10, 'name')
        .attr('text-anchor', 'end')
        .text(`level ${level}`);
      const bars = order.map(([name]) =>
        svg.append('rect').attr('class', `share ${name}`).attr('y', y).attr('height', layout.barHeight),
      );
      return { level, bars, share: text(layout.right + 10, 'tally') };
    });
  }

  draw(timeUs: number): void {
    const index = this.#index;
    if (!index) return;
    const { columns, nodes, checking } = index.levels;
    const known = Math.min(index.grid.known - 1, columnAt(timeUs, columns, index.spanUs));
    this.checking = 0;
    const words: string[] = [];
    for (const { level, bars, share } of this.#levels) {
      const at = (level - 1) * columns + known;
      const counts = order.map(([, part]) => (known < 0 ? Number(part === LevelPart.none) : nodes[at * parts + part]!));
      const all = counts.reduce((sum, count) => sum + count, 0);
      let x = this.#left;
      bars.forEach((bar, place) => {
        const width = (counts[place]! / Math.max(1, all)) * (this.#right - this.#left);
        bar.attr('x', x.toFixed(2)).attr('width', width.toFixed(2));
        x += width;
      });
      const percent = percentOf(counts[0]!, all);
      share.text(percent).classed('complete', all > 0 && counts[0] === all);
      words.push(`Level ${level}: ${percent}.`);
      if (known >= 0) this.checking += checking[at]!;
    }
    this.#svg.attr('aria-label', `Nodes that have all of a level at ${ms(timeUs)}. ${words.join(' ')}`);
  }
}

/** In whole percent, but 0 and 100 only where it is exactly that. */
function percentOf(count: number, all: number): string {
  const percent = Math.round((count / Math.max(1, all)) * 100);
  if (percent === 0 && count > 0) return '< 1 %';
  if (percent === 100 && count < all) return '> 99 %';
  return `${percent} %`;
}
