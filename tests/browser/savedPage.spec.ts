import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@playwright/test';

const folder = mkdtempSync(join(tmpdir(), 'tutti-saved-page-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a run is saved as one HTML file, which plays from the disk', async ({ page, browser }) => {
  await page.goto('./run.html#n=32&scheme=counting&seed=4&node=5&t=0');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  const digest = (await page.getByTestId('digest').textContent())!;
  await page.route('**/templates/savedRun.html', (route) => route.fulfill({ status: 404 }));
  await page.getByTestId('save-page').click();
  const note = page.locator('#save-as').getByRole('status');
  await expect(note).toHaveText('Could not save the file: the template of the saved page: 404 Not Found');
  await page.unroute('**/templates/savedRun.html');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-page').click()]);
  expect(download.suggestedFilename()).toBe('tutti-32-4.html');
  const path = join(folder, 'run.html');
  await download.saveAs(path);

  const context = await browser.newContext({ offline: true });
  const saved = await context.newPage();
  const errors: string[] = [];
  saved.on('pageerror', (error) => errors.push(error.message));
  saved.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) errors.push(request.url());
  });
  await saved.goto(pathToFileURL(path).href);
  await expect(saved.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(saved.getByTestId('digest')).toHaveText(digest);
  await expect(saved.getByTestId('play')).toHaveAccessibleName('Pause');
  await expect(saved.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/^Tree of node 5 at [1-9]/);
  await saved.getByTestId('scrub').fill((await saved.getByTestId('scrub').getAttribute('max'))!);
  await expect(saved.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/32 of 32 contributions in/);
  await saved.getByRole('radio', { name: 'map' }).check();
  await expect(saved.getByTestId('flight').getByRole('img')).toHaveAccessibleName(/^32 nodes at 11 places/);
  expect(errors).toEqual([]);
  await context.close();
});
