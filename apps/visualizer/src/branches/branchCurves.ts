import { line, scaleLinear } from 'd3';
import { nothing, render, svg } from 'lit-html';
import { lineFrom, set, textAt } from '../views/drawing.ts';
import type { BranchReport } from './branch.ts';

interface Curve {
  readonly report: BranchReport;
  readonly label: string;
  /** Whether the page currently shows the run. */
  readonly current: boolean;
}

const height = 170;
const margin = { left: 44, right: 28, top: 10, bottom: 24 };

/**
 * Draws the mean share of contributions that nodes hold over time: one line per run, with the run's number at the end
 * of the line.
 */
export function drawCurves(
  host: SVGSVGElement,
  curves: readonly Curve[],
  { spanUs, threshold, width }: { readonly spanUs: number; readonly threshold: number; readonly width: number },
): void {
  const x = scaleLinear([0, spanUs], [margin.left, Math.max(margin.left + 1, width - margin.right)]);
  const y = scaleLinear([0, 1], [height - margin.bottom, margin.top]);
  set(host, {
    viewBox: `0 0 ${width} ${height}`,
    height,
    'aria-label': `Average number of signatures per node over time, in ${curves.length} runs. The table below lists the numbers.`,
  });
  // Without a result, the time axis has no range. The table shows which runs are being simulated.
  if (curves.length === 0) {
    render(nothing, host);
    return;
  }
  const across = (kind: string, share: number) => lineFrom(kind, [margin.left, y(share)], [x(spanUs), y(share)]);
  const grid = [0, 0.5, 1].map((share) => [
    textAt('branch-axis', [margin.left - 8, y(share) + 4], `${share * 100} %`, { anchor: 'end' }),
    across('branch-grid', share),
  ]);
  const ticks = x
    .ticks(Math.max(2, Math.floor(width / 140)))
    .map((us) =>
      textAt('branch-axis', [x(us), height - 6], `${us / 1000} ms`, { anchor: us === 0 ? 'start' : 'middle' }),
    );
  const lines = curves.map(({ report, label, current }) => {
    const timeUs = (step: number) => ((step + 1) / report.curve.length) * report.endUs;
    // Data after the end of the time axis is not drawn.
    const held = report.curve.filter((_, step) => timeUs(step) <= spanUs);
    const path = line<number>((_, step) => x(timeUs(step)), y);
    const kind = current ? ' current' : '';
    return svg`<path class="run${kind}" d=${path([...held])}></path><text class="number${kind}" x=${x(Math.min(spanUs, report.endUs)) + 5} y=${y(held.at(-1) ?? 0) + 4}>${report.endUs > spanUs ? `${label} →` : label}</text>`;
  });
  render(svg`${grid}${across('branch-threshold', threshold)}${ticks}${lines}`, host);
}
