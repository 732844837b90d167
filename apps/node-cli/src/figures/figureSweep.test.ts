import { writeFileSync } from 'node:fs';
import { experiments, type LabScenario, scenariosFor } from '@tutti/lab';
import { canonicalJson } from '@tutti/lab/results';
import { expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { parsePlan, readPlan } from '../sweep/plan.ts';
import { figureSweepText } from './figureSweep.ts';

const { at } = temporaryFiles();

it.each(experiments)('of $id: the sweep has every run of the figure, with its model', (experiment) => {
  const { points } = parsePlan(figureSweepText(experiment, 'full'), 'figure.json');
  const swept = new Set(points.map(({ scenario }) => canonicalJson(scenario)));
  const shown = scenariosFor(experiment, 'full').map((scenario) => canonicalJson(scenario));
  expect(shown.filter((key) => !swept.has(key))).toEqual([]);
});

it('writes the file and runs nothing', async () => {
  const file = at('fig5.json');
  const written = await runMain(['figures', '--only', 'fig5', '--write-sweep', file]);
  expect(written).toEqual({ code: 0, out: '', err: '' });
  const { name, points } = readPlan(file);
  expect([name, points.length]).toEqual(['fig5', 35]);
  expect((points[0]!.scenario as LabScenario).goReference?.quirks.length).toBeGreaterThan(0);
});

it('with a network without machines, writes a valid sweep with other values of the fields that need machines', async () => {
  const [latencies, file] = [at('lat.csv'), at('own.json')];
  writeFileSync(latencies, '0,5\n5,0\n');
  const network = `file:${latencies}`;
  const { code, err } = await runMain(['figures', '--only', 'fig5', '--network', network, '--write-sweep', file]);
  expect([code, err]).toEqual([0, expect.stringMatching(/: deadBy chance replaces machine, cpu\.startsApartMs 0 /)]);
  const { points } = readPlan(file);
  expect(points.length).toBe(35);
  for (const { scenario } of points) {
    expect(scenario).toMatchObject({ network, deadBy: 'chance', threshold: 2000 });
    expect([scenario.cpu.startsApartMs, scenario.cpu.nodesPerCore]).toEqual([0, 2]);
  }
});
