import { paperHandelConfig as paper, thresholdText } from '@tutti/core';
import { type PublishedPoint, published, publishedPoints } from '@tutti/lab';
import { type Fit, fitLine, type RunResult, type Scenario } from '@tutti/simulation';
import { line, type ScaleLinear, type ScaleLogarithmic, scaleLinear, scaleLog } from 'd3';
import { nothing, render, svg, type TemplateResult } from 'lit-html';
import { count } from '../formatNumber.ts';
import { query } from '../page.ts';
import { lineFrom, textAt } from '../views/drawing.ts';

/** Margins of the chart, px. */
const margin = { left: 62, right: 18, top: 30, bottom: 40 };
const minHeight = 290;

/** Points and layout of a drawn chart. */
interface Chart {
  readonly width: number;
  readonly height: number;
  readonly x: ScaleLogarithmic<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly run: PublishedPoint | undefined;
  readonly before: readonly PublishedPoint[];
  /** The chart's axes and its fitted law, as drawn. */
  readonly ground: TemplateResult;
}

/**
 * Chart of time against the number of nodes on a logarithmic axis: the published points, the law fitted to these
 * points, and the shown run.
 */
export class GrowthView {
  readonly #figure = query('#growth-figure');
  readonly #host = query('#growth-chart');
  #shown:
    | { readonly scenario: Scenario; readonly result: RunResult | undefined; readonly before: readonly RunResult[] }
    | undefined;
  /** Chart; undefined until it is drawn for the shown run and the current width. */
  #chart: Chart | undefined;

  constructor() {
    this.#render(undefined);
  }

  /**
   * Shows a run.
   *
   * @param result result of the run; undefined until the run has ended. @param before results of runs with other sizes,
   * which remain visible as dots.
   */
  show(scenario: Scenario, result: RunResult | undefined, before: readonly RunResult[] = []): void {
    this.#shown = { scenario, result, before };
    // All published points are measurements of Handel.
    this.#figure.hidden = scenario.protocol !== 'handel';
    query('#growth-sub').textContent = growthWords(scenario, result);
    this.resize();
  }

  /** Draws the chart. @param timeUs moment of the run's clock, µs, at which a line is drawn. Default: no line. */
  draw(timeUs?: number): void {
    this.#chart ??= this.#laidOut();
    this.#render(timeUs);
  }

  resize(): void {
    // Until the chart is visible again, a layout for another width must not widen the page.
    this.#chart = undefined;
    this.#render(undefined);
  }

  #laidOut(): Chart | undefined {
    const width = this.#host.clientWidth;
    if (!this.#shown || width === 0) return undefined;
    const { scenario, result } = this.#shown;
    const height = Math.max(minHeight, this.#host.clientHeight);
    const run = result && runPoint(result);
    const before = this.#shown.before.flatMap((one) => runPoint(one) ?? []);
    const points = [...publishedTimes, ...before, ...(run ? [run] : [])];
    const sizes = [...points.map((point) => point.x), scenario.nodes];
    const x = scaleLog(
      [Math.min(50, Math.min(...sizes) / 1.4), Math.max(6000, Math.max(...sizes) * 1.4)],
      [margin.left, Math.max(margin.left + 1, width - margin.right)],
    ).base(2);
    const y = scaleLinear([0, Math.max(...points.map(({ max }) => max))], [height - margin.bottom, margin.top]).nice(5);
    return { width, height, x, y, run, before, ground: svg`${axes({ width, height, x, y })}${law({ x, y })}` };
  }

  #render(timeUs: number | undefined): void {
    const chart = this.#chart;
    const { scenario, result } = this.#shown ?? {};
    const label = scenario && chart ? growthWords(scenario, result) : 'Time by number of nodes';
    const viewBox = chart ? `0 0 ${chart.width} ${chart.height}` : nothing;
    render(
      svg`<svg class="growth-chart" role="img" aria-label=${label} viewBox=${viewBox} width=${chart?.width ?? 0} height=${chart?.height ?? nothing}>${chart && drawn(chart, timeUs)}</svg>`,
      this.#host,
    );
  }
}

function drawn(chart: Chart, timeUs: number | undefined): TemplateResult {
  const { width, y, run, before, ground } = chart;
  const isAhead = run !== undefined && timeUs !== undefined && timeUs / 1000 < run.mean;
  const points = [
    publishedTimes.map((one) => pointAt(chart, one, 'point', 'published')),
    before.map((one) => pointAt(chart, one, 'point run before', 'a run before')),
    run && pointAt(chart, run, isAhead ? 'point run ahead' : 'point run', 'this run'),
  ];
  const [bottom, top] = y.range() as [number, number];
  const at = Math.min(bottom, Math.max(top, y((timeUs ?? 0) / 1000)));
  const clock = lineFrom('clock-line', [margin.left, at], [width - margin.right, at]);
  return svg`${ground}${points}${run && runName(chart, run)}${timeUs === undefined ? nothing : clock}`;
}

function axes({ width, height, x, y }: Pick<Chart, 'width' | 'height' | 'x' | 'y'>): TemplateResult {
  const axisText = (at: readonly [number, number], text: string, anchor: 'middle' | 'end') =>
    textAt('axis', at, text, { anchor });
  const lines = y
    .ticks(4)
    .map((value) => [
      lineFrom('grid', [margin.left, y(value)], [width - margin.right, y(value)]),
      axisText([margin.left - 10, y(value) + 4], count(value), 'end'),
    ]);
  const [from, to] = x.domain() as [number, number];
  const every = width < 560 ? 2 : 1;
  const first = Math.ceil(Math.log2(from));
  const powers = Array.from({ length: Math.floor((Math.log2(to) - first) / every) + 1 }, (_, at) => first + at * every);
  const sizes = powers.map((power) =>
    axisText([x(2 ** power), height - margin.bottom + 20], count(2 ** power), 'middle'),
  );
  const units = axisText([margin.left - 10, 14], 'ms', 'end');
  return svg`${lines}${units}${sizes}${axisText([width - margin.right, height - 4], 'nodes, log scale', 'end')}`;
}

/** Draws the law through the published points, dotted outside their range. */
function law({ x, y }: Pick<Chart, 'x' | 'y'>): TemplateResult {
  const [from, to] = x.domain() as [number, number];
  const [first, last] = [publishedTimes[0]!.x, publishedTimes.at(-1)!.x];
  const path = line<number>(x, (size) => y(publishedLaw.at(Math.log2(size))));
  const within = (kind: string, min: number, max: number) => {
    const sizes = Array.from({ length: 41 }, (_, step) => min * (max / min) ** (step / 40));
    return svg`<path class=${kind} d=${path(sizes.filter((size) => publishedLaw.at(Math.log2(size)) >= 0)) ?? nothing}></path>`;
  };
  return svg`${within('law beyond', from, first)}${within('law', first, last)}${within('law beyond', last, to)}`;
}

/** Draws a point. @param name source of the point: the paper's authors, the shown run, or an earlier run. */
function pointAt({ x, y, run }: Chart, point: PublishedPoint, kind: string, name: string): TemplateResult {
  const isRun = point === run;
  return svg`<g class=${kind} data-testid=${isRun ? 'growth-run' : nothing}><line x1=${x(point.x)} x2=${x(point.x)} y1=${y(point.min)} y2=${y(point.max)}></line><circle cx=${x(point.x)} cy=${y(point.mean)} r=${isRun ? 5.5 : 4.5}></circle><title>${name}: ${count(point.x)} nodes, ${count(point.mean)} ms</title></g>`;
}

function runName({ width, x, y }: Chart, run: PublishedPoint): TemplateResult {
  const above = run.mean >= publishedLaw.at(Math.log2(run.x));
  const at = above ? y(run.max) - 10 : Math.max(y(run.min), y(run.mean) + 7) + 15;
  return textAt('run-name', [Math.min(x(run.x), width - margin.right - 26), at], 'this run', { anchor: 'middle' });
}

/** Measurements of Handel by the paper's authors: times to the threshold by number of nodes, ms. */
export const publishedTimes: readonly PublishedPoint[] = publishedPoints(published.handel, 'timeMs');

/** Law in section 4.1 (time grows with log N), fitted to the published means: ms against log2 N. */
export const publishedLaw: Fit = fitLine(publishedTimes.map(({ x, mean }) => [Math.log2(x), mean]));

/** Returns the fitted law as a formula. */
function lawWords({ intercept, slope, r2 }: Fit): string {
  const sign = intercept < 0 ? '\u2212' : '';
  return `${sign}${Math.abs(intercept).toFixed(0)} + ${slope.toFixed(0)} log\u2082 N ms, R\u00b2 ${r2.toFixed(2)}`;
}

/** Returns the point of a run in the chart, or undefined if none of the run's nodes reached the threshold. */
export function runPoint({ nodes, reached, timeToThresholdMs }: RunResult): PublishedPoint | undefined {
  if (reached === 0) return undefined;
  const { min, mean, max } = timeToThresholdMs;
  return { x: nodes, min, mean, max };
}

/**
 * Returns the differences between a scenario and the published scenarios; empty if there are none. The comparison
 * covers the network, Tor, the threshold, dead nodes, nodes that start late, attacks and faults. For Handel, it also
 * covers the times, the weights, the branching factor and the paper's mechanisms. Other settings, such as the window or
 * back-off, are not compared. The published threshold is 51 % for gossip and 99 % for other protocols.
 */
export function unlikePublished(scenario: Scenario): readonly string[] {
  const { protocol, network, tor, threshold, dead, absent, attacks, faults } = scenario;
  const unlike: string[] = [];
  if (network !== 'aws') unlike.push(`another network, ${network}`);
  if (tor > 0) unlike.push(`${count(tor * 100)}\u00a0% of the nodes behind Tor`);
  if (threshold !== (protocol === 'gossip' ? 0.51 : 0.99))
    unlike.push(`a threshold of ${thresholdText(threshold).replace(' ', '\u00a0')}`);
  if (dead > 0) unlike.push(`${count(dead * 100)}\u00a0% dead`);
  if (absent > 0) unlike.push('nodes that start late');
  if (attacks.length > 0) unlike.push('an attack');
  if (faults.length > 0) unlike.push('faults');
  if (protocol !== 'handel') return unlike;
  const { periodMs, weights, branching, levelStartMs, without } = scenario;
  if (periodMs !== published.handel[0]!.periodMs)
    unlike.push(
      `${count(periodMs)}\u00a0ms between messages on a level (paper: ${published.handel[0]!.periodMs}\u00a0ms)`,
    );
  if (weights !== 'equal') unlike.push('nodes with different weights');
  if (branching !== 2) unlike.push(`a branching factor of ${branching}`);
  if (levelStartMs !== paper.levelStartMs)
    unlike.push(
      `${count(levelStartMs)}\u00a0ms between the starts of two levels (paper: ${paper.levelStartMs}\u00a0ms)`,
    );
  if (without.some((one) => !paper.without.includes(one))) unlike.push('some of the paper’s mechanisms switched off');
  return unlike;
}

/** Describes the chart in the sentence below its title. */
export function growthWords(scenario: Scenario, result: RunResult | undefined): string {
  const law = `The time to 99\u00a0% of the signatures grows with log\u00a0N (section 4.1). Grey marks show the min, mean and max that the paper’s authors measured on up to 2,000 machines in ten AWS regions. Most of these machines ran two nodes (section 7.1). The line is fitted to the means: ${lawWords(publishedLaw)}.`;
  const point = result && runPoint(result);
  if (!result) return `${law} This run appears when it has finished.`;
  if (!point) return `${law} In this run, no node reached the threshold.`;
  const expected = publishedLaw.at(Math.log2(point.x));
  const unlike = unlikePublished(scenario);
  const atLine =
    expected > 0
      ? `; the fitted line gives ${count(Math.round(expected))}\u00a0ms`
      : '; the fitted line is not defined for so few nodes';
  const alone = scenario.cpu.nodesPerCore === 0 ? ['each node has its own machine, and messages need no CPU time'] : [];
  const has = unlike.length === 0 ? [] : [`the run has ${unlike.join(', ')}`];
  const reasons = [...alone, ...has];
  const setting =
    reasons.length === 0
      ? ''
      : ` The result may differ from the line because, in this simulation, ${reasons.join(', and ')}.`;
  return `${law} The mark “this run” shows a mean time of ${count(Math.round(point.mean))}\u00a0ms over ${count(point.x)} nodes${atLine}.${setting}`;
}
