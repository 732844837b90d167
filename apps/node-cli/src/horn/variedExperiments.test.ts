import { readFileSync } from 'node:fs';
import { runMeshExperiment } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { variedExperiments } from '../studies/slotSimulators.ts';
import { readShadowFile } from './shadowFile.ts';

const file = readFileSync(new URL('../../../../examples/shadow/n1000-1mb.yaml', import.meta.url), 'utf8');
const { experiment } = readShadowFile(file, 'constant:20').experiments[0]!;

it('includes the experiment itself and different variants that are all valid', () => {
  const small = { ...experiment, nodes: 40, slots: 1, messageBytes: 2 ** 17, slotMs: 60_000 };
  const [own, ...others] = variedExperiments(small);
  expect(own).toEqual({ assumption: 'unchanged', experiment: small });
  const sums = variedExperiments(small).map((one) =>
    runMeshExperiment(one.experiment)[0]!.ms[0]!.reduce((sum, ms) => sum + ms, 0),
  );
  expect(others.length).toBeGreaterThan(8);
  expect(new Set(sums).size).toBeGreaterThan(others.length - 2);
});
