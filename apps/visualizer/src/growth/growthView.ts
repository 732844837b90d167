import type { RunResult, Scenario } from '@tutti/simulation';
import { type ScaleLinear, select } from 'd3';
import { part } from '../page.ts';
import { growthWords, publishedTimes, runPoint } from './growth.ts';
import { GrowthChart, margin } from './growthChart.ts';

const leastHeight = 290;

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
    this.#svg.selectAll('.point.run:not(.before)').classed('ahead', isAhead);
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
    const svg = this.#svg.attr('viewBox', `0 0 ${width} ${height}`).attr('width', width).attr('height', height);
    svg.selectAll('*').remove();
    svg.attr('aria-label', growthWords(scenario, result));
    const chart = new GrowthChart(svg, width, height, points, scenario.nodes);
    this.#y = chart.y;
    chart.drawAxes();
    chart.drawLaw();
    for (const point of points)
      chart.drawPoint(point, point === run ? 'run' : before.includes(point) ? 'before' : 'published');
    if (run) chart.nameRun(run);
  }
}
