import { readFileSync } from 'node:fs';
import { defaultScenario, simulate } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { cellOf, type MatrixFile } from '../story/attackMatrix.ts';
import { quantities } from './figurePlan.ts';

it('the last node of a figure equals that of the matrix, and does not exist if a node does not finish', () => {
  const file: MatrixFile = JSON.parse(readFileSync(new URL('../matrix/matrix.json', import.meta.url), 'utf8'));
  const attacks = [{ name: 'invalid', share: 0.3 }];
  const runs = Array.from({ length: file.seeds }, (_, place) =>
    simulate({ ...defaultScenario, nodes: 64, attacks, seed: place + 1 }),
  );
  const mean = runs.reduce((sum, run) => sum + quantities.lastMs.of(run)!.mean, 0) / runs.length;
  expect(mean).toBeCloseTo(cellOf(file, 'handel', 'invalid')!.lastMs!.mean, 0);
  expect(quantities.lastMs.of({ ...runs[0]!, reached: 1 })).toBeUndefined();
});
