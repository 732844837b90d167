import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simulate } from '@tutti/simulation';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../apps/node-cli/src/sweep/plan.ts';
import { drawFigureFile, figureCsv, figureOf } from '../apps/visualizer/src/figure/figureDrawing.ts';
import {
  axes,
  type FigurePlan,
  planFields,
  pointsOf,
  sweepOf,
  type XAxis,
} from '../apps/visualizer/src/figure/figurePlan.ts';
import { figureParquet, sweepCommand } from '../apps/visualizer/src/figure/figureTable.ts';

const small: FigurePlan = {
  ...planFields.first,
  n: 16,
  seeds: 2,
  protocols: ['handel', 'gossip'],
  title: 'Liars (30 %)',
};

describe('the figure of the page', () => {
  it.each(Object.keys(axes) as XAxis[])('over %s simulates the same runs as tutti sweep', (x) => {
    const plan = { ...small, x };
    const swept = parsePlan(JSON.stringify(sweepOf(plan)), 'figure.json');
    const scenarios = pointsOf(plan).flatMap((point) => point.scenarios);
    expect(scenarios).toEqual(swept.points.map(({ scenario }) => scenario));
  });

  it('has the same numbers as tutti sweep', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tutti-figure-'));
    try {
      const file = join(folder, 'figure.json');
      writeFileSync(file, JSON.stringify(sweepOf(small)));
      const args = ['apps/node-cli/bin/tutti.js', 'sweep', file, '--json', '-q', '--out', join(folder, 'runs.jsonl')];
      const printed = execFileSync('node', args, { encoding: 'utf8' });
      const { groups } = JSON.parse(printed);
      const runs = pointsOf(small).flatMap(({ scenarios }) => scenarios.map((scenario) => simulate(scenario)));
      for (const [y, name] of [
        ['timeMs', 'timeToThresholdMs'],
        ['checks', 'checked'],
        ['bytes', 'bytesSent'],
      ] as const) {
        const points = figureOf({ ...small, y }, runs).charts[0]!.drawn.flatMap((series) => series.points);
        expect(groups).toHaveLength(points.length);
        for (const [place, point] of points.entries()) expect(point.y!.mean).toBeCloseTo(groups[place][name].mean, 6);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is saved as a Parquet file with the runs and the name of the command', async () => {
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
      // The command does not receive the parts of the line that the shell handles.
      expect(said).toEqual([
        { key: 'tutti_command', value: `tutti ${sweepCommand(plan)}` },
        ...ofCommand.key_value_metadata!.slice(1),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('is repeated by its link, and a corrected link is reported', () => {
    const plan = { ...small, x: 'verifyMs', y: 'bytes', log: 'x', ground: 'none', mm: 178 } as const;
    expect(planFields.read(`#${planFields.write(plan, true)}`)).toEqual({ values: plan, notices: [] });
    const { values, notices } = planFields.read('#x=age&protocols=none&n=7&seeds=99&mm=12');
    expect(values).toEqual({ ...planFields.first, n: 16, seeds: 20 });
    expect(notices.map((notice) => notice.split(':')[0])).toEqual(['x', 'protocols', 'n', 'seeds', 'mm']);
  });

  it('is drawn within its extent at the requested width, on any axis, with its source in each file', () => {
    const runs = pointsOf(small).flatMap(({ scenarios }) => scenarios.map((scenario) => simulate(scenario)));
    for (const changes of [{}, { log: 'xy' }, { mm: 178, ground: 'none' }] as const) {
      const plan = { ...small, ...changes };
      const figure = figureOf(plan, runs);
      const { svg, width, height } = drawFigureFile(plan, figure);
      expect(svg).toMatch(new RegExp(`^<svg [^>]*width="${plan.mm}mm" viewBox="0 0 ${width} ${height}"`));
      expect(svg).not.toContain('NaN');
      for (const [, place] of svg.matchAll(/ x=?"([\d.-]+)"/g)) expect(Number(place)).toBeLessThanOrEqual(width);
      for (const text of [svg.replaceAll('&quot;', '"'), figureCsv(plan, figure)])
        expect(text).toContain('tutti sweep figure.json --out runs.csv');
      const csv = figureCsv(plan, figure).trimEnd().split('\n');
      expect(csv).toHaveLength(2 + 2 * (axes.byzantine.values.length - (plan.log.includes('x') ? 1 : 0)));
    }
  });
});
