import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confidenceInterval, simulate } from '@tutti/simulation';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../apps/node-cli/src/sweep/plan.ts';
import { drawPlan, measured } from '../apps/visualizer/src/figure/figureDrawing.ts';
import { figureCsv, figurePdf, figureSvg } from '../apps/visualizer/src/figure/figureFiles.ts';
import {
  axes,
  decodePlan,
  encodePlan,
  type FigurePlan,
  firstPlan,
  pointsOf,
  quantities,
  sweepOf,
  type XAxis,
} from '../apps/visualizer/src/figure/figurePlan.ts';
import { figureParquet, sweepCommand } from '../apps/visualizer/src/figure/figureTable.ts';

const small: FigurePlan = { ...firstPlan, nodes: 16, seeds: 2, protocols: ['handel', 'gossip'], title: 'Liars (30 %)' };

describe('the figure that the page makes', () => {
  it.each(Object.keys(axes) as XAxis[])('over %s plays the runs that tutti sweep plays', (x) => {
    const plan = { ...small, x };
    const swept = parsePlan(JSON.stringify(sweepOf(plan)), 'figure.json');
    const scenarios = pointsOf(plan).flatMap((point) => point.scenarios);
    expect(scenarios).toEqual(swept.points.map(({ scenario }) => scenario));
  });

  it('has the numbers of tutti sweep', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tutti-figure-'));
    try {
      const file = join(folder, 'figure.json');
      writeFileSync(file, JSON.stringify(sweepOf(small)));
      const printed = execFileSync(
        'node',
        [
          'apps/node-cli/bin/tutti.js',
          'sweep',
          file,
          '--json',
          '--jobs',
          '1',
          '-q',
          '--out',
          join(folder, 'runs.jsonl'),
        ],
        {
          encoding: 'utf8',
        },
      );
      const { groups } = JSON.parse(printed);
      const points = pointsOf(small);
      expect(groups).toHaveLength(points.length);
      for (const [place, { scenarios, protocol, x }] of points.entries()) {
        const runs = scenarios.map((scenario) => simulate(scenario));
        for (const [quantity, name] of [
          ['timeMs', 'timeToThresholdMs'],
          ['checks', 'checked'],
          ['bytes', 'bytesSent'],
        ] as const) {
          const values = runs.flatMap((run) => quantities[quantity].of(run) ?? []);
          const { mean, interval } = measured(protocol, x, values);
          expect(mean).toBeCloseTo(groups[place][name].mean, 6);
          expect(interval).toEqual(confidenceInterval(values));
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is a Parquet file of the runs that the command writes, which it names', async () => {
    const plan = { ...small, title: "Liars, an engineer's" };
    const folder = mkdtempSync(join(tmpdir(), 'tutti-figure-'));
    try {
      const tutti = join(import.meta.dirname, '../apps/node-cli/bin/tutti.js');
      execFileSync('bash', ['-c', `node '${tutti}' ${sweepCommand(plan)}`], { cwd: folder, stdio: 'ignore' });
      const written = new Uint8Array(readFileSync(join(folder, 'tutti-figure.parquet'))).buffer;
      const runs = pointsOf(plan).flatMap(({ scenarios }) => scenarios.map((scenario) => simulate(scenario)));
      const { buffer } = await figureParquet(plan, runs);
      expect(await parquetReadObjects({ file: buffer })).toEqual(await parquetReadObjects({ file: written }));
      const { schema, key_value_metadata: said } = parquetMetadata(buffer);
      const ofCommand = parquetMetadata(written);
      expect(schema).toEqual(ofCommand.schema);
      // What a shell hands to the command, the command does not see.
      expect(said).toEqual([
        { key: 'tutti_command', value: `tutti ${sweepCommand(plan)}` },
        ...ofCommand.key_value_metadata!.slice(1),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is repeated by its link, which is corrected aloud', () => {
    const plan = { ...small, x: 'verifyMs', y: 'bytes', isLogX: true, isTransparent: true, widthMm: 178 } as const;
    expect(decodePlan(`#${encodePlan(plan)}`)).toEqual({ plan, notices: [] });
    const { plan: taken, notices } = decodePlan('#x=age&protocols=handel,handel&n=7&seeds=99&mm=12');
    expect(taken).toEqual(firstPlan);
    expect(notices.map((notice) => notice.split(':')[0])).toEqual(['x', 'protocols', 'n', 'seeds', 'mm']);
  });

  it('is the same drawing as SVG and as PDF, each with its origin in it', () => {
    const points = pointsOf(small).map(({ protocol, x }, place) =>
      measured(protocol, x, [100 + place, 120 + 3 * place]),
    );
    for (const isLogY of [false, true]) {
      const plan = { ...small, isLogY };
      const drawing = drawPlan(plan, points);
      for (const shape of drawing.shapes)
        for (const [x, y] of shape.kind === 'line' ? shape.points : [shape.at]) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(drawing.width);
          expect(y).toBeGreaterThanOrEqual(0);
          expect(y).toBeLessThanOrEqual(drawing.height);
        }
      const svg = figureSvg(plan, drawing);
      const pdf = String.fromCharCode(...figurePdf(plan, drawing));
      for (const text of [svg, pdf, figureCsv(plan, points)])
        expect(text).toContain('tutti sweep figure.json --out runs.csv');
      expect(svg.match(/<text /g)).toHaveLength(pdf.match(/ Tj ET/g)!.length);
      // A reader finds each object by its place.
      const table = Number(/startxref\n(\d+)/.exec(pdf)![1]);
      expect(pdf.slice(table, table + 4)).toBe('xref');
      for (const [place, at] of [...pdf.matchAll(/^(\d{10}) 00000 n /gm)].entries())
        expect(pdf.slice(Number(at[1]))).toMatch(new RegExp(`^${place + 1} 0 obj`));
    }
  });
});
