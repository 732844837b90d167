import { version } from '@tutti/core';
import { type Axis, type Chart, Figure, type Measure } from '@tutti/lab';
import { escaped, standaloneSvg } from '@tutti/lab/drawing';
import { type ProtocolName, protocols, type RunResult, type Scenario } from '@tutti/simulation';
import { axes, type FigurePlan, pointsOf, quantities, sweepOf } from './figurePlan.ts';

/** Lookup table for the checksum of PNG files (CRC-32), by byte. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/**
 * Length, in bytes, of the header of a PNG file: its signature (8), and the first chunk with 13 bytes of data and 12
 * bytes of framing.
 */
const headBytes = 8 + 25;

/** Returns a PNG file with a description in a text chunk (iTXt) after the header. */
export async function withText(png: Blob, text: string): Promise<Blob> {
  // The checksum covers the chunk's type and content, but not the length that precedes them.
  const data = new TextEncoder().encode(`iTXtDescription\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(data.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length - 4);
  chunk.set(data, 4);
  let crc = 0xffffffff;
  for (const byte of data) crc = table[(crc ^ byte) & 255]! ^ (crc >>> 8);
  view.setUint32(data.length + 4, (crc ^ 0xffffffff) >>> 0);
  const bytes = new Uint8Array(await png.arrayBuffer());
  return new Blob([bytes.slice(0, headBytes), chunk, bytes.slice(headBytes)], { type: 'image/png' });
}

/** Returns a description of a figure's origin: the command that computes the same numbers, its seeds, and the version. */
export function originOf(plan: FigurePlan): string {
  const sweep = JSON.stringify(sweepOf(plan));
  return `Tutti ${version}; seeds 1 to ${plan.seeds}; bars: 95 % confidence interval of the mean over seeds; command: tutti sweep figure.json --out runs.csv; contents of figure.json: ${sweep}`;
}

/** Returns a figure as CSV: a line with its origin, then one row per mark. */
export function figureCsv(plan: FigurePlan, figure: Figure): string {
  const rows = figure.charts[0]!.drawn.flatMap(({ name, measure, points }) =>
    points.map(({ x, y, interval, runs }) => {
      const seeds = runs.filter((run) => measure.of(run) !== undefined).length;
      return [name, x, y?.mean ?? '', interval?.low ?? '', interval?.high ?? '', seeds].join(',');
    }),
  );
  return [`# ${originOf(plan)}`, `protocol,${plan.x},${plan.y},low,high,seeds`, ...rows, ''].join('\n');
}

/** Pixels per millimetre in a figure. A letter with a height of 13 pixels is 7.4 points high. */
const pixelsPerMm = 5;

/** Sum of the chart's left and right margins in `standaloneSvg`, pixels. */
const margins = 40;

/** Groups the runs of a plan, in the order of the plan's points, into a figure. */
export function figureOf(plan: FigurePlan, runs: readonly RunResult[]): Figure {
  const scenarios = pointsOf(plan).flatMap((point) => point.scenarios);
  const runOf = new Map(scenarios.map((scenario, place) => [JSON.stringify(scenario), runs[place]!]));
  const find = (scenario: Scenario): RunResult => runOf.get(JSON.stringify(scenario))!;
  const unfitted = new Figure([chartOf(plan, () => '')], find);
  return new Figure([chartOf(plan, (protocol) => fitText(plan, unfitted, protocol))], find);
}

function chartOf(plan: FigurePlan, fitOf: (protocol: ProtocolName) => string): Chart {
  const measure = measureOf(plan);
  // A logarithmic axis cannot show 0.
  const points = pointsOf(plan).filter(({ x }) => !plan.log.includes('x') || x > 0);
  return {
    title: plan.title === '' ? measure.label : plan.title,
    x: { label: axes[plan.x].label, unit: axes[plan.x].unit, scale: scaleOf(plan, 'x') },
    left: { label: measure.label, unit: measure.unit, scale: scaleOf(plan, 'y') },
    series: plan.protocols.map((protocol) => ({
      name: protocol,
      label: `${protocols[protocol].title}${fitOf(protocol)}`,
      measure,
      samples: points
        .filter((point) => point.protocol === protocol)
        .map(({ x, scenarios }) => ({ x, scenario: scenarios[0]!, seeds: scenarios.map(({ seed }) => seed) })),
    })),
  };
}

function scaleOf({ log }: FigurePlan, axis: 'x' | 'y'): Axis['scale'] {
  return log.includes(axis) ? 'log' : 'linear';
}

/**
 * Returns the quantity that a plan shows, as one value per run. On a logarithmic axis, a run with the value 0 has no
 * value.
 */
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

/**
 * Describes the line fitted to a protocol's means, as a function of x or, if the values of x double, of log2 x. Returns
 * an empty text if a point has no mean, if there are fewer than three points, the minimum for a fit, or if the fit has no
 * finite R².
 */
function fitText({ x }: FigurePlan, figure: Figure, protocol: ProtocolName): string {
  const { points } = figure.series(protocol);
  if (points.length < 3 || points.some(({ y }) => y === undefined)) return '';
  const { doubles } = axes[x];
  const { intercept, slope, r2 } = figure.fit(protocol, (value) => (doubles ? Math.log2(value) : value));
  if (!Number.isFinite(r2)) return '';
  const sign = slope < 0 ? '-' : '+';
  return `: ${digits(intercept)} ${sign} ${digits(Math.abs(slope))} ${doubles ? 'log2 x' : 'x'}, R\u00b2 ${r2.toFixed(2)}`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** File of a figure, with the size of the drawing, pixels. */
interface DrawnFigure {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Draws a figure with the width defined by its plan, and adds the figure's origin as a description. */
export function drawFigureFile(plan: FigurePlan, figure: Figure): DrawnFigure {
  const { title } = figure.charts[0]!;
  const pixels = pixelsPerMm * plan.mm - margins;
  const drawn = standaloneSvg(figure, title, plan.ground === 'none' ? 'transparent' : 'white', pixels);
  const [, width, height] = /viewBox="0 0 (\S+) (\S+)"/.exec(drawn)!.map(Number);
  const svg = drawn
    .replace(/ width="[^"]*" height="[^"]*"/, ` width="${plan.mm}mm"`)
    .replace('</title>', () => `</title><desc>${escaped(originOf(plan))}</desc>`);
  return { svg, width: width!, height: height! };
}
