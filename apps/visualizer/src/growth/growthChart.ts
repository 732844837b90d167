import type { PublishedPoint } from '@tutti/lab';
import { line, type ScaleLinear, type ScaleLogarithmic, type Selection, scaleLinear, scaleLog } from 'd3';
import { count } from '../numberWords.ts';
import { publishedLaw, publishedTimes } from './growth.ts';

/** Around the drawing, px. */
export const margin = { left: 62, right: 18, top: 30, bottom: 40 };

/** Whose a point is: the paper's authors', this run's, or that of a run before it. */
export type PointOrigin = 'published' | 'run' | 'before';

const origins: Readonly<Record<PointOrigin, { readonly name: string; readonly marks: string }>> = {
  published: { name: 'published', marks: 'point' },
  run: { name: 'this run', marks: 'point run' },
  before: { name: 'a run before', marks: 'point run before' },
};

type Svg = Selection<SVGSVGElement, unknown, null, undefined>;

/** The parts of the chart of growth, in the order in which they are drawn. */
export class GrowthChart {
  readonly #svg: Svg;
  readonly #width: number;
  readonly #height: number;
  readonly #x: ScaleLogarithmic<number, number>;
  readonly y: ScaleLinear<number, number>;

  /** @param points all that are to be drawn. @param nodes of the run, which may have no point yet. */
  constructor(svg: Svg, width: number, height: number, points: readonly PublishedPoint[], nodes: number) {
    this.#svg = svg;
    this.#width = width;
    this.#height = height;
    const sizes = [...points.map((point) => point.x), nodes];
    this.#x = scaleLog(
      [Math.min(50, Math.min(...sizes) / 1.4), Math.max(6000, Math.max(...sizes) * 1.4)],
      [margin.left, Math.max(margin.left + 1, width - margin.right)],
    ).base(2);
    this.y = scaleLinear([0, Math.max(...points.map(({ max }) => max))], [height - margin.bottom, margin.top]).nice(5);
  }

  drawAxes(): void {
    const [x, y, width, height] = [this.#x, this.y, this.#width, this.#height];
    for (const value of y.ticks(4)) {
      this.#svg
        .append('line')
        .attr('class', 'grid')
        .attr('x1', margin.left)
        .attr('x2', width - margin.right)
        .attr('y1', y(value))
        .attr('y2', y(value));
      this.#text('axis', [margin.left - 10, y(value) + 4], count(value), 'end');
    }
    this.#text('axis', [margin.left - 10, 14], 'ms', 'end');
    const [from, to] = x.domain() as [number, number];
    const every = width < 560 ? 2 : 1;
    for (let power = Math.ceil(Math.log2(from)); 2 ** power <= to; power += every)
      this.#text('axis', [x(2 ** power), height - margin.bottom + 20], count(2 ** power));
    this.#text('axis', [width - margin.right, height - 4], 'nodes, log scale', 'end');
  }

  /** The law through the published points, dotted beyond them. */
  drawLaw(): void {
    const [from, to] = this.#x.domain() as [number, number];
    const [first, last] = [publishedTimes[0]!.x, publishedTimes.at(-1)!.x];
    this.#drawLawWithin('law beyond', from, first);
    this.#drawLawWithin('law', first, last);
    this.#drawLawWithin('law beyond', last, to);
  }

  drawPoint(point: PublishedPoint, origin: PointOrigin): void {
    const [x, y] = [this.#x, this.y];
    const { name, marks } = origins[origin];
    const group = this.#svg.append('g').attr('class', marks);
    if (origin === 'run') group.attr('data-testid', 'growth-run');
    group
      .append('line')
      .attr('x1', x(point.x))
      .attr('x2', x(point.x))
      .attr('y1', y(point.min))
      .attr('y2', y(point.max));
    group
      .append('circle')
      .attr('cx', x(point.x))
      .attr('cy', y(point.mean))
      .attr('r', origin === 'run' ? 5.5 : 4.5);
    group.append('title').text(`${name}: ${count(point.x)} nodes, ${count(point.mean)} ms`);
  }

  nameRun(run: PublishedPoint): void {
    const [x, y] = [this.#x, this.y];
    const above = run.mean >= publishedLaw.at(Math.log2(run.x));
    const at = above ? y(run.max) - 10 : Math.max(y(run.min), y(run.mean) + 7) + 15;
    this.#text('run-name', [Math.min(x(run.x), this.#width - margin.right - 26), at], 'this run');
  }

  #drawLawWithin(className: string, least: number, most: number): void {
    const sizes = Array.from({ length: 41 }, (_, step) => least * (most / least) ** (step / 40));
    const path = line<number>(
      (size) => this.#x(size),
      (size) => this.y(publishedLaw.at(Math.log2(size))),
    );
    this.#svg
      .append('path')
      .attr('class', className)
      .attr('d', path(sizes.filter((size) => publishedLaw.at(Math.log2(size)) >= 0)));
  }

  #text(className: string, at: readonly [number, number], words: string, anchor = 'middle'): void {
    this.#svg
      .append('text')
      .attr('class', className)
      .attr('x', at[0])
      .attr('y', at[1])
      .attr('text-anchor', anchor)
      .text(words);
  }
}
