import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openFromDisk, openPage, saved } from './page.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-saved-page-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a run is saved as one HTML file, which plays from the disk', async ({ page, browser }) => {
  await openPage(page, './run.html#n=32&scheme=counting&seed=4&node=5&t=0');
  const digest = (await page.getByTestId('digest').textContent())!;
  await page.route('**/templates/savedRun.html', (route) => route.fulfill({ status: 404 }));
  await page.getByTestId('save-page').click();
  const note = page.locator('#save-as').getByRole('status');
  await expect(note).toHaveText('Could not save the file: /templates/savedRun.html: 404 Not Found');
  await page.unroute('**/templates/savedRun.html');
  const download = await saved(page, 'save-page');
  expect(download.suggestedFilename()).toBe('tutti-32-4.html');
  const path = join(folder, 'run.html');
  await download.saveAs(path);

  const { page: opened, errors } = await openFromDisk(browser, path);
  await expect(opened.getByTestId('digest')).toHaveText(digest);
  await expect(opened.getByTestId('play')).toHaveAccessibleName('Pause');
  await expect(opened.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/^Tree of node 5 at [1-9]/);
  await opened.getByTestId('scrub').fill((await opened.getByTestId('scrub').getAttribute('max'))!);
  await expect(opened.getByTestId('tree').getByRole('img')).toHaveAccessibleName(/32 of 32 contributions in/);
  await opened.getByRole('radio', { name: 'map' }).check();
  await expect(opened.getByTestId('flight').getByRole('img')).toHaveAccessibleName(/^32 nodes at 11 places/);
  expect(errors).toEqual([]);
  await opened.context().close();
});
