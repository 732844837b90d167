import { line, scaleLinear, select } from 'd3';
import type { BranchReport } from './branch.ts';

interface Curve {
  readonly report: BranchReport | undefined;
  readonly label: string;
  /** Whether the page shows this run. */
  readonly current: boolean;
}

const height = 170;
const margin = { left: 44, right: 28, top: 10, bottom: 24 };

/** The mean of what nodes hold over time, a line a run, each with its number at its end. */
export function drawCurves(
  svg: SVGSVGElement,
  curves: readonly Curve[],
  { spanUs, threshold, width }: { readonly spanUs: number; readonly threshold: number; readonly width: number },
): void {
  const x = scaleLinear([0, spanUs], [margin.left, Math.max(margin.left + 1, width - margin.right)]);
  const y = scaleLinear([0, 1], [height - margin.bottom, margin.top]);
  const root = select(svg).attr('viewBox', `0 0 ${width} ${height}`).attr('height', height).attr('role', 'img');
  const known = curves.filter((curve): curve is Curve & { report: BranchReport } => curve.report !== undefined);
  root.attr(
    'aria-label',
    `What nodes hold on average, over time, in ${known.length} runs; the table below has their numbers.`,
  );
  root.selectAll('*').remove();
  for (const share of [0, 0.5, 1]) {
    root
      .append('text')
      .attr('class', 'branch-axis')
      .attr('x', margin.left - 8)
      .attr('y', y(share) + 4)
      .attr('text-anchor', 'end')
      .text(`${share * 100} %`);
    root
      .append('line')
      .attr('class', 'branch-grid')
      .attr('x1', margin.left)
      .attr('x2', x(spanUs))
      .attr('y1', y(share))
      .attr('y2', y(share));
  }
  root
    .append('line')
    .attr('class', 'branch-threshold')
    .attr('x1', margin.left)
    .attr('x2', x(spanUs))
    .attr('y1', y(threshold))
    .attr('y2', y(threshold));
  for (const us of x.ticks(Math.max(2, Math.floor(width / 140)))) {
    root
      .append('text')
      .attr('class', 'branch-axis')
      .attr('x', x(us))
      .attr('y', height - 6)
      .attr('text-anchor', us === 0 ? 'start' : 'middle')
      .text(`${us / 1000} ms`);
  }
  for (const { report, label, current } of known) {
    // What continues beyond the picture is cut off at its edge.
    const held = report.curve.filter((_, step) => ((step + 1) / report.curve.length) * report.endUs <= spanUs);
    const path = line<number>(
      (_, step) => x(((step + 1) / report.curve.length) * report.endUs),
      (share) => y(share),
    );
    root
      .append('path')
      .attr('class', current ? 'run current' : 'run')
      .attr('d', path([...held]));
    root
      .append('text')
      .attr('class', current ? 'number current' : 'number')
      .attr('x', x(Math.min(spanUs, report.endUs)) + 5)
      .attr('y', y(held.at(-1) ?? 0) + 4)
      .text(report.endUs > spanUs ? `${label} →` : label);
  }
}
