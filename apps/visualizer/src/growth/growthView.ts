import type { RunResult, Scenario } from '@tutti/simulation';
import { line, type ScaleLinear, scaleLinear, scaleLog, select } from 'd3';
import { part } from '../page.ts';
import { count } from '../words.ts';
import { growthWords, publishedLaw, publishedTimes, runPoint } from './growth.ts';

const leastHeight = 290;
const margin = { left: 62, right: 18, top: 30, bottom: 40 };

/**
 * Time against the number of nodes on a log axis: the published points, the law through them, and the run that is
 * shown.
 */
export class GrowthView {
  readonly #figure = part('#growth-figure');
  readonly #host = part('#growth-chart');
  readonly #svg = select(this.#host)
    .append('svg')
    .attr('class', 'growth-chart')
    .attr('role', 'img')
    .attr('aria-label', 'How time grows with the number of nodes');
  #shown:
    | { readonly scenario: Scenario; readonly result: RunResult | undefined; readonly before: readonly RunResult[] }
    | undefined;
  #y: ScaleLinear<number, number> | undefined;
  /** It is laid out when it is seen. */
  #isLaidOut = false;

  /** @param result undefined until the run is over. @param before runs of other sizes, which stay as dots. */
  show(scenario: Scenario, result: RunResult | undefined, before: readonly RunResult[] = []): void {
    this.#shown = { scenario, result, before };
    // The published points are Handel's.
    this.#figure.hidden = scenario.protocol !== 'handel';
    part('#growth-sub').textContent = growthWords(scenario, result);
    this.resize();
  }

  /** With the run's clock on the axis of time, if it is given. */
  draw(timeUs?: number): void {
    if (!this.#isLaidOut) this.#layOut();
    if (timeUs === undefined) return;
    const width = this.#host.clientWidth;
    if (!this.#y || width === 0) return;
    const [bottom, top] = this.#y.range() as [number, number];
    const at = Math.min(bottom, Math.max(top, this.#y(timeUs / 1000)));
    this.#svg
      .selectAll<SVGLineElement, number>('line.clock-line')
      .data([at])
      .join('line')
      .attr('class', 'clock-line')
      .attr('x1', margin.left)
      .attr('x2', width - margin.right)
      .attr('y1', at)
      .attr('y2', at);
    const { result } = this.#shown!;
    const run = result && runPoint(result);
    const isAhead = run !== undefined && timeUs / 1000 < run.mean;
    this.#svg.selectAll('.point.run:not(.before)').attr('opacity', isAhead ? 0.25 : 1);
    this.#svg.selectAll('.run-name').attr('visibility', isAhead ? 'hidden' : null);
  }

  resize(): void {
    // What is laid out for another width must not widen the page until it is seen again.
    if (this.#isLaidOut) this.#svg.attr('width', 0).selectAll('*').remove();
    this.#isLaidOut = false;
  }

  #layOut(): void {
    const width = this.#host.clientWidth;
    if (!this.#shown || width === 0) return;
    this.#isLaidOut = true;
    const { scenario, result } = this.#shown;
    const height = Math.max(leastHeight, this.#host.clientHeight);
    const run = result && runPoint(result);
    const before = this.#shown.before.flatMap((one) => runPoint(one) ?? []);
    const points = [...publishedTimes, ...before, ...(run ? [run] : [])];
    const sizes = [...points.map((point) => point.x), scenario.nodes];
    const x = scaleLog(
      [Math.min(50, Math.min(...sizes) / 1.4), Math.max(6000, Math.max(...sizes) * 1.4)],
      [margin.left, Math.max(margin.left + 1, width - margin.right)],
    ).base(2);
    const y = scaleLinear([0, Math.max(...points.map(({ max }) => max))], [height - margin.bottom, margin.top]).nice(5);
    this.#y = y;
    const svg = this.#svg.attr('viewBox', `0 0 ${width} ${height}`).attr('width', width).attr('height', height);
    svg.selectAll('*').remove();
    svg.attr('aria-label', growthWords(scenario, result));

    const text = (className: string, at: readonly [number, number], words: string, anchor = 'middle') =>
      svg
        .append('text')
        .attr('class', className)
        .attr('x', at[0])
        .attr('y', at[1])
        .attr('text-anchor', anchor)
        .text(words);
    for (const value of y.ticks(4)) {
      svg
        .append('line')
        .attr('class', 'grid')
        .attr('x1', margin.left)
        .attr('x2', width - margin.right)
        .attr('y1', y(value))
        .attr('y2', y(value));
      text('axis', [margin.left - 10, y(value) + 4], count(value), 'end');
    }
    text('axis', [margin.left - 10, 14], 'ms', 'end');
    const [from, to] = x.domain() as [number, number];
    const every = width < 560 ? 2 : 1;
    for (let power = Math.ceil(Math.log2(from)); 2 ** power <= to; power += every)
      text('axis', [x(2 ** power), height - margin.bottom + 20], count(2 ** power));
    text('axis', [width - margin.right, height - 4], 'nodes, log scale', 'end');

    const path = line<number>(
      (size) => x(size),
      (size) => y(publishedLaw.at(Math.log2(size))),
    );
    const within = (least: number, most: number) =>
      Array.from({ length: 41 }, (_, step) => least * (most / least) ** (step / 40)).filter(
        (size) => publishedLaw.at(Math.log2(size)) >= 0,
      );
    const [first, last] = [publishedTimes[0]!.x, publishedTimes.at(-1)!.x];
    svg
      .append('path')
      .attr('class', 'law beyond')
      .attr('d', path(within(from, first)));
    svg
      .append('path')
      .attr('class', 'law')
      .attr('d', path(within(first, last)));
    svg
      .append('path')
      .attr('class', 'law beyond')
      .attr('d', path(within(last, to)));

    for (const point of points) {
      const own = point === run;
      const isBefore = before.includes(point);
      const group = svg.append('g').attr('class', own ? 'point run' : isBefore ? 'point run before' : 'point');
      if (own) group.attr('data-testid', 'growth-run');
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
        .attr('r', own ? 5.5 : 4.5);
      group
        .append('title')
        .text(
          `${own ? 'this run' : isBefore ? 'a run before' : 'published'}: ${count(point.x)} nodes, ${count(point.mean)} ms`,
        );
    }
    if (run) {
      const above = run.mean >= publishedLaw.at(Math.log2(run.x));
      const at = above ? y(run.max) - 10 : Math.max(y(run.min), y(run.mean) + 7) + 15;
      text('run-name', [Math.min(x(run.x), width - margin.right - 26), at], 'this run');
    }
  }
}
