import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runMain } from '../../../apps/node-cli/test/runMain.ts';
import { isWhole } from '../../../tests/sampled.ts';
import { temporaryFolder, tutti } from '../../../tests/tutti.ts';

const folder = temporaryFolder();

it.runIf(isWhole)(
  'a cluster updates its keys from round to round; a key that is stolen at the end signs at no earlier period',
  async () => {
    const file = join(folder, 'pixel.json');
    const args = ['pixel', 'cluster', '--nodes', '6', '--processes', '2', '--rounds', '3', '--first-period', '7'];
    const { code, err } = await tutti(...args, '--out', file);
    expect(code, err).toBe(0);
    const document = JSON.parse(readFileSync(file, 'utf8'));
    expect(document).toMatchObject({
      scenario: { scheme: 'pixel', firstPeriod: 7 },
      reached: 6,
      stolenKey: { signsAtOwnPeriod: true, earlier: [{ forged: false }, { forged: false }] },
    });
    expect(document.rounds.map(({ period }: { period: number }) => period)).toEqual([7, 8, 9]);
    // A signature has 149 bytes, which are 298 hexadecimal digits.
    expect(document.signature).toHaveLength(298);

    const registry = join(folder, 'pixel.registry.json');
    expect(JSON.parse(readFileSync(registry, 'utf8')).scheme).toBe('pixel');
    expect(await runMain(['verify', file, '--registry', registry])).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('registry: expected "scheme": "bls", got "pixel"'),
    });
  },
);

it('the period of the last round must be valid too', async () => {
  expect(await runMain(['pixel', 'cluster', '--rounds', '2', '--first-period', '4294967295'])).toEqual({
    code: 2,
    out: '',
    err: 'tutti: --first-period: expected an integer from 1 to 4294967294, got 4294967295\n',
  });
});
