import { type Axis, type Chart, Figure, type Measure } from '@tutti/lab';
import { escaped, standaloneSvg } from '@tutti/lab/drawing';
import type { ProtocolName, RunResult, Scenario } from '@tutti/simulation';
import { protocolTitles } from '../words.ts';
import { axes, type FigurePlan, pointsOf, quantities } from './figurePlan.ts';

/** Pixels per millimetre of a figure. A letter of 13 pixels is 7.4 points high. */
const pixelsPerMm = 5;

/** Pixels left and right of the chart, of `standaloneSvg`. */
const margins = 40;

/** Gathers the runs of a plan, which are in the order of its points, in a figure of the laboratory. */
export function figureOf(plan: FigurePlan, runs: readonly RunResult[]): Figure {
  const scenarios = pointsOf(plan).flatMap((point) => point.scenarios);
  const runOf = new Map(scenarios.map((scenario, place) => [JSON.stringify(scenario), runs[place]!]));
  const find = (scenario: Scenario): RunResult => runOf.get(JSON.stringify(scenario))!;
  const unfitted = new Figure([chartOf(plan, () => '')], find);
  return new Figure([chartOf(plan, (protocol) => fitText(plan, unfitted, protocol))], find);
}

function chartOf(plan: FigurePlan, fitOf: (protocol: ProtocolName) => string): Chart {
  const measure = measureOf(plan);
  // A logarithmic axis has no 0.
  const points = pointsOf(plan).filter(({ x }) => !plan.log.includes('x') || x > 0);
  return {
    title: plan.title === '' ? measure.label : plan.title,
    x: { label: axes[plan.x].label, unit: axes[plan.x].unit, scale: scaleOf(plan, 'x') },
    left: { label: measure.label, unit: measure.unit, scale: scaleOf(plan, 'y') },
    series: plan.protocols.map((protocol) => ({
      name: protocol,
      label: `${protocolTitles[protocol]}${fitOf(protocol)}`,
      measure,
      samples: points
        .filter((point) => point.protocol === protocol)
        .map(({ x, scenarios }) => ({ x, scenario: scenarios[0]!, seeds: scenarios.map(({ seed }) => seed) })),
    })),
  };
}

const scaleOf = ({ log }: FigurePlan, axis: 'x' | 'y'): Axis['scale'] => (log.includes(axis) ? 'log' : 'linear');

/** The mean over the nodes of each run. A logarithmic axis has no 0. */
function measureOf(plan: FigurePlan): Measure {
  const measure = quantities[plan.y];
  const isLog = scaleOf(plan, 'y') === 'log';
  return {
    ...measure,
    of: (run) => {
      const mean = measure.of(run)?.mean;
      return mean === undefined || (isLog && mean <= 0) ? undefined : { min: mean, mean, max: mean };
    },
  };
}

/** The line through a protocol's means, against log2 of values that double; empty where fewer than three are measured. */
function fitText({ x }: FigurePlan, figure: Figure, protocol: ProtocolName): string {
  const { points } = figure.series(protocol);
  if (points.length < 3 || points.some(({ y }) => y === undefined)) return '';
  const { isLog } = axes[x];
  const { intercept, slope, r2 } = figure.fit(protocol, (value) => (isLog ? Math.log2(value) : value));
  if (!Number.isFinite(r2)) return '';
  const sign = slope < 0 ? '-' : '+';
  return `: ${digits(intercept)} ${sign} ${digits(Math.abs(slope))} ${isLog ? 'log2 x' : 'x'}, R\u00b2 ${r2.toFixed(2)}`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A figure as a file, and its extent in pixels of the drawing. */
export interface DrawnFigure {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Draws a figure as wide as its plan says, with `description` in the file. */
export function drawFigureFile(plan: FigurePlan, figure: Figure, description: string): DrawnFigure {
  const { title } = figure.charts[0]!;
  const pixels = pixelsPerMm * plan.mm - margins;
  const drawn = standaloneSvg(figure, title, plan.ground === 'none' ? 'transparent' : 'white', pixels);
  const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(drawn)!.map(Number);
  const svg = drawn
    .replace(/ width="[^"]*" height="[^"]*"/, ` width="${plan.mm}mm"`)
    .replace('</title>', () => `</title><desc>${escaped(description)}</desc>`);
  return { svg, width: width!, height: height! };
}
