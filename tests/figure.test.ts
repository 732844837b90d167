import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { simulate } from '@tutti/simulation';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '../apps/node-cli/src/sweep/plan.ts';
import { runMain } from '../apps/node-cli/test/runMain.ts';
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
import { bin, temporaryFolder } from './tutti.ts';

const folder = temporaryFolder();
const small: FigurePlan = {
  ...planFields.first,
  n: 16,
  seeds: 2,
  protocols: ['handel', 'gossip'],
  title: 'Liars (30 %)',
};

const runsOf = (plan: FigurePlan) =>
  pointsOf(plan).flatMap(({ scenarios }) => scenarios.map((scenario) => simulate(scenario)));

describe('the figure of the page', () => {
  it.each(Object.keys(axes) as XAxis[])('over %s simulates the same runs as tutti sweep', (x) => {
    const plan = { ...small, x };
    const swept = parsePlan(JSON.stringify(sweepOf(plan)), 'figure.json');
    const scenarios = pointsOf(plan).flatMap((point) => point.scenarios);
    expect(scenarios).toEqual(swept.points.map(({ scenario }) => scenario));
  });

  it('has the same numbers as tutti sweep', async () => {
    const file = join(folder, 'figure.json');
    writeFileSync(file, JSON.stringify(sweepOf(small)));
    const { groups } = JSON.parse((await runMain(['sweep', file, '--json', '--out', join(folder, 'runs.jsonl')])).out);
    for (const [y, name] of [
      ['timeMs', 'timeToThresholdMs'],
      ['checks', 'checked'],
      ['bytes', 'bytesSent'],
    ] as const) {
      const points = figureOf({ ...small, y }, runsOf(small)).charts[0]!.drawn.flatMap((series) => series.points);
      expect(groups).toHaveLength(points.length);
      for (const [place, point] of points.entries()) expect(point.y!.mean).toBeCloseTo(groups[place][name].mean, 6);
    }
  });

  it('is saved as a Parquet file with the runs and the name of the command', async () => {
    const plan = { ...small, title: "Liars, an engineer's" };
    execFileSync('bash', ['-c', `node '${bin}' ${sweepCommand(plan)}`], { cwd: folder, stdio: 'ignore' });
    const written = new Uint8Array(readFileSync(join(folder, 'tutti-figure.parquet'))).buffer;
    const buffer = await (await figureParquet(plan, runsOf(plan))).arrayBuffer();
    expect(await parquetReadObjects({ file: buffer })).toEqual(await parquetReadObjects({ file: written }));
    const { schema, key_value_metadata: said } = parquetMetadata(buffer);
    const ofCommand = parquetMetadata(written);
    expect(schema).toEqual(ofCommand.schema);
    // The command does not receive the parts of the line that the shell handles.
    expect(said).toEqual([
      { key: 'tutti_command', value: `tutti ${sweepCommand(plan)}` },
      ...ofCommand.key_value_metadata!.slice(1),
    ]);
  });

  it('is drawn within its extent at the requested width, on any axis, with its source in each file', () => {
    const runs = runsOf(small);
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
