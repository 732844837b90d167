import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machineNames, machines } from '@tutti/core/horn';
import { expect, it, vi } from 'vitest';
import { runMain } from '../../test/runMain.ts';
import type { SensitivityDocument } from './hornSensitivity.ts';

vi.setConfig({ testTimeout: 240_000 });

const tutti = (...args: string[]) => runMain(args, { progress: 'line' });

it('has each machine with its own costs, singly and together, and never has more votes in reach for slower checks', async () => {
  const { code, out } = await tutti('horn', 'sensitivity', '--nodes', '2048', '--json');
  expect(code).toBe(0);
  const { rows }: SensitivityDocument = JSON.parse(out);
  expect(rows).toHaveLength(machineNames.length * 2 * 2);
  for (const { machine, batch, verifyMs, additionNs } of rows) {
    expect(additionNs).toBe(machines[machine].additionNs);
    if (batch === 1) expect(verifyMs).toBe(machines[machine].verifyMs);
    else expect(verifyMs).toBeLessThan(machines[machine].verifyMs / 4);
  }
  const strawman = rows.filter(({ system }) => system === 'strawman').sort((a, b) => a.verifyMs - b.verifyMs);
  for (const [index, { inReachPercent }] of strawman.entries())
    if (index > 0) expect(inReachPercent).toBeLessThanOrEqual(strawman[index - 1]!.inReachPercent);
});

it('draws all rows into an SVG, a mark for each system', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-'));
  try {
    const file = join(folder, 'drawn.svg');
    const { code } = await tutti('horn', 'sensitivity', '--nodes', '1024', '--machine', 'epyc-wasm', '--svg', file);
    expect(code).toBe(0);
    const svg = readFileSync(file, 'utf8');
    for (const row of ['epyc-wasm, singly', 'epyc-wasm, 64 together'])
      for (const system of ['strawman', 'Horn']) expect(svg).toContain(`<title>${row}, ${system}: `);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('draws a bar a row, and refuses what is no machine in one line', async () => {
  const { out } = await tutti('horn', 'sensitivity', '--nodes', '1024', '--machine', 'epyc-native');
  expect(out).toMatch(/^strawman +epyc-native +singly .* 100\.0 +#{25}$/m);
  expect(out).not.toMatch(/ $/m);
  const { code, err } = await tutti('horn', 'sensitivity', '--machine', 'abacus');
  expect(code).toBe(2);
  expect(err).toMatch(/^tutti: --machine: expected .*i7-8550U.*, got "abacus"\n$/);
});
