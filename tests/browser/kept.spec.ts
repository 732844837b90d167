import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';

const folder = mkdtempSync(join(tmpdir(), 'tutti-kept-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a run is kept as one HTML file, which plays from the disk', async ({ page, browser }) => {
  await page.goto('./run.html#n=32&scheme=counting&seed=4&node=5&t=0');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  const digest = (await page.getByTestId('digest').textContent())!;
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('keep-page').click()]);
  expect(download.suggestedFilename()).toBe('tutti-32-4.html');
  const path = join(folder, 'run.html');
  await download.saveAs(path);

  const context = await browser.newContext({ offline: true });
  const kept = await context.newPage();
  const errors: string[] = [];
  kept.on('pageerror', (error) => errors.push(error.message));
  kept.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) errors.push(request.url());
  });
  await kept.goto(pathToFileURL(path).href);
  await expect(kept.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(kept.getByTestId('digest')).toHaveText(digest);
  await expect(kept.getByTestId('play')).toHaveAccessibleName('Pause');
  await expect(kept.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/^Tree of node 5 at [1-9]/);
  await kept.getByTestId('scrub').fill((await kept.getByTestId('scrub').getAttribute('max'))!);
  await expect(kept.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/32 of 32 contributions in/);
  await kept.getByRole('radio', { name: 'map' }).check();
  await expect(kept.getByTestId('flight').getByRole('img')).toHaveAccessibleName(/^32 nodes at 11 places/);
  expect(errors).toEqual([]);
  await context.close();
});
