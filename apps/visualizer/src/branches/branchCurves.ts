import { line, scaleLinear } from 'd3';
import { nothing, render, svg } from 'lit-html';
import type { BranchReport } from './branch.ts';

interface Curve {
  readonly report: BranchReport | undefined;
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
  const known = curves.filter((curve): curve is Curve & { report: BranchReport } => curve.report !== undefined);
  host.setAttribute('viewBox', `0 0 ${width} ${height}`);
  host.setAttribute('height', String(height));
  host.setAttribute('role', 'img');
  host.setAttribute(
    'aria-label',
    `Average number of signatures per node over time, in ${known.length} runs. The table below lists the numbers.`,
  );
  // Without a result, the time axis has no range. The table shows which runs are being simulated.
  if (known.length === 0) {
    render(nothing, host);
    return;
  }
  const across = (kind: string, share: number) =>
    svg`<line class=${kind} x1=${margin.left} x2=${x(spanUs)} y1=${y(share)} y2=${y(share)}></line>`;
  const grid = [0, 0.5, 1].map(
    (share) =>
      svg`<text class="branch-axis" x=${margin.left - 8} y=${y(share) + 4} text-anchor="end">${share * 100} %</text>${across('branch-grid', share)}`,
  );
  const ticks = x
    .ticks(Math.max(2, Math.floor(width / 140)))
    .map(
      (us) =>
        svg`<text class="branch-axis" x=${x(us)} y=${height - 6} text-anchor=${us === 0 ? 'start' : 'middle'}>${us / 1000} ms</text>`,
    );
  const lines = known.map(({ report, label, current }) => {
    // Data outside the drawing is clipped at its edge.
    const held = report.curve.filter((_, step) => ((step + 1) / report.curve.length) * report.endUs <= spanUs);
    const path = line<number>(
      (_, step) => x(((step + 1) / report.curve.length) * report.endUs),
      (share) => y(share),
    );
    const kind = current ? ' current' : '';
    return svg`<path class="run${kind}" d=${path([...held])}></path><text class="number${kind}" x=${x(Math.min(spanUs, report.endUs)) + 5} y=${y(held.at(-1) ?? 0) + 4}>${report.endUs > spanUs ? `${label} →` : label}</text>`;
  });
  render(svg`${grid}${across('branch-threshold', threshold)}${ticks}${lines}`, host);
}
