import { readFileSync } from 'node:fs';
import { machineNames, machines } from '@tutti/ethereum';
import { expect, it } from 'vitest';
import { isWhole, sampled } from '../../../../tests/sampled.ts';
import { documentFrom, outputOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import type { SensitivityDocument } from './hornSensitivity.ts';

const { at } = temporaryFiles();
it('has each machine with its own costs, single and batched', async () => {
  const one = isWhole ? '' : `--machine ${sampled(machineNames, 1)}`;
  const { rows }: SensitivityDocument = await documentFrom(`horn sensitivity --nodes 512 ${one}`);
  expect(rows).toHaveLength((isWhole ? machineNames.length : 1) * 2 * 2);
  for (const { machine, batch, verifyMs, additionNs } of rows) {
    expect(additionNs).toBe(machines[machine].additionNs);
    if (batch === 1) expect(verifyMs).toBe(machines[machine].verifyMs);
    else expect(verifyMs).toBeLessThan(machines[machine].verifyMs / 4);
  }
});

it.runIf(isWhole)('the strawman loses votes on a slow machine unless it verifies batches; Horn does not', async () => {
  // With fewer validators, no machine would be overloaded, so every row would contain all votes.
  const line = 'horn sensitivity --nodes 131072 --machine raspberry-pi-4';
  const { rows }: SensitivityDocument = await documentFrom(line);
  const inReach = (name: string) => rows.flatMap((row) => (row.system === name ? row.inReachPercent.mean : []));
  const [singly, together] = inReach('strawman');
  expect(singly).toBeLessThan(95);
  expect(together).toBeGreaterThan(99.9);
  for (const percent of inReach('horn')) expect(percent).toBeGreaterThan(99.9);
});

it.runIf(isWhole)('draws one bar per row, and into an SVG all rows with a mark for each system', async () => {
  const file = at('drawn.svg');
  const out = outputOf(await runMain(`horn sensitivity --nodes 512 --machine epyc-native --svg ${file}`));
  expect(out).toMatch(/^strawman +epyc-native +singly .* 100\.0 +#{25}$/m);
  expect(out).not.toMatch(/ $/m);
  const svg = readFileSync(file, 'utf8');
  for (const row of ['epyc-native, singly', 'epyc-native, 64 together'])
    for (const system of ['strawman', 'Horn']) expect(svg).toContain(`<title>${row}, ${system}: `);
});
