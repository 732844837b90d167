import { defaultHornParameters } from '@tutti/core/horn';
import type { RunResult } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { handelOf } from './comparedSystem.ts';
import { overloadLines } from './hornSystems.ts';

it('topics that are overloaded with any seed are reported', () => {
  const of = (system: 'horn' | 'strawman', ...seeds: ('global' | 'committee')[][]) =>
    seeds.map((uncalibrated) => ({ system, uncalibrated }));
  expect(overloadLines([of('strawman', [], []), of('horn', [], ['global'])])).toEqual([
    "Overloaded: horn's global topic; its number of votes in reach is accurate to within 13 % of the votes cast.\n",
  ]);
  expect(overloadLines([of('horn', ['committee'], ['global', 'committee'])])).toEqual([
    "Overloaded: horn's committee and global topics; the losses on these topics are not calibrated.\n",
  ]);
});

it.each([
  [16, 4250, 64],
  [15, null, null],
])('%i of 16 nodes reach the threshold: Handel has time %s ms and burst %s B', (reached, reachMs, burstBytes) => {
  const [stat, time] = [{ mean: 4 }, { mean: 250, max: 300 }];
  const run = {
    live: 16,
    reached,
    checked: stat,
    messagesSent: stat,
    bytesSent: { mean: 64 },
    timeToThresholdMs: time,
  };
  const runs = [4, 16].map((nodes) => ({ ...run, nodes }) as unknown as RunResult);
  const { run: simulated, extrapolated } = handelOf(runs, defaultHornParameters, 1, { nodes: 64, dead: 0 });
  for (const of of [simulated, extrapolated])
    expect(of).toMatchObject({ reachMs, burstBytes, lostPercent: reachMs === null ? null : 0 });
});
