import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { untilReady } from './page.ts';

test('a figure for a paper: a small sweep, four files, and a link that repeats it', async ({ page }) => {
  await page.goto('./figure.html');
  await untilReady(page);
  await page.getByTestId('figure-n').fill('16');
  await page.getByTestId('figure-seeds').fill('2');
  await page.getByTestId('figure-title').fill('Liars');
  await page.getByTestId('figure-draw').click();
  await expect(page.getByTestId('figure-status')).toHaveText('30 runs.');
  const drawn = page.getByTestId('figure').getByRole('img');
  await expect(drawn).toContainText('share of the nodes that attack');
  const words = await drawn.textContent();
  for (const [kind, begin] of [
    ['svg', '<svg'],
    ['pdf', '%PDF-1.4'],
    ['png', '\x89PNG'],
    ['csv', '# Tutti'],
  ] as const) {
    const saving = page.waitForEvent('download');
    await page.getByTestId(`figure-${kind}`).click();
    const file = readFileSync((await (await saving).path())!, 'latin1');
    expect(file.startsWith(begin), kind).toBe(true);
    expect(file, kind).toContain('tutti sweep figure.json');
  }
  await page.reload();
  await expect(page.getByTestId('figure-status')).toHaveText('30 runs.');
  await expect.poll(() => drawn.textContent()).toBe(words);
  await page.goto('./figure.html#n=5');
  await expect(page.getByTestId('figure-status')).toContainText('n: expected 16 to 512, got “5”.');
});
