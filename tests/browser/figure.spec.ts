import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { openPage, saved, untilNothingSticksOut } from './page.ts';

test('a figure for a paper: a small sweep, four files, and a link that repeats it', async ({ page }) => {
  await openPage(page, './figure.html');
  await page.getByTestId('figure-n').fill('16');
  await page.getByTestId('figure-seeds').fill('2');
  await page.getByTestId('figure-title').fill('Liars');
  await page.getByTestId('figure-draw').click();
  await expect(page.getByTestId('figure-status')).toHaveText('30 runs.');
  const drawn = page.getByTestId('figure').getByRole('img');
  await expect(drawn).toHaveAccessibleName('Liars: time to the threshold, last node over share of attackers');
  const shown = await drawn.getAttribute('src');
  for (const [kind, begin] of Object.entries({ svg: '<svg', png: '\x89PNG', csv: '# Tutti' })) {
    const file = readFileSync(await (await saved(page, `figure-${kind}`)).path(), 'latin1');
    expect(file.startsWith(begin), kind).toBe(true);
    expect(file, kind).toContain('tutti sweep figure.json --out runs.csv');
  }
  const loaded = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect((await loaded()).filter((name) => name.includes('parquet'))).toEqual([]);
  const parquet = await saved(page, 'figure-parquet');
  expect(parquet.suggestedFilename()).toBe('tutti-figure.parquet');
  const file = new Uint8Array(readFileSync((await parquet.path())!)).buffer;
  const rows = await parquetReadObjects({ file });
  expect(rows).toHaveLength(30);
  expect(rows[0]).toMatchObject({ scenario_protocol: 'handel', scenario_nodes: 16, seed: 1n, reached: 16 });
  const said = parquetMetadata(file).key_value_metadata!.map(({ key }) => key);
  expect(said).toEqual(['tutti_command', 'tutti_version', 'tutti_units']);
  expect((await loaded()).filter((name) => name.includes('parquet'))).toHaveLength(1);
  await page.reload();
  await expect(page.getByTestId('figure-status')).toHaveText('30 runs.');
  await expect(drawn).toHaveAttribute('src', shown!);
  await page.goto('./figure.html#n=5');
  await expect(page.getByTestId('figure-status')).toContainText(
    'n: expected an integer from 16 to 512, got "5"; 16 is used',
  );
  await page.getByTestId('figure-n').fill('9999');
  await expect(page.getByTestId('figure-status')).toContainText('got "9999"; 512 is used');
  await page.getByTestId('figure-draw').click();
  await expect(page.getByTestId('figure-n')).toHaveValue('512');
  await expect(page).toHaveURL(/n=512/);
  await page.setViewportSize({ width: 320, height: 568 });
  await untilNothingSticksOut(page);
});
