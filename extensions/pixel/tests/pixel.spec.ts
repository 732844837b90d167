import { expect, test } from '@playwright/test';
import { untilReady } from '../../../tests/browser/page.ts';

test.describe('forward-secure signatures', () => {
  test('a thief can sign from the period of the theft on, and for no earlier period', async ({ page }) => {
    await page.goto('./pixel.html#period=3');
    await untilReady(page);
    await expect(page.getByTestId('key-words')).toContainText('sub-keys of periods 1 to 2 are erased');
    await page.getByTestId('update').click();
    await expect(page.getByTestId('period-now')).toHaveText('period 4 of 15');
    await expect(page.getByTestId('time-tree').locator('.time-node.held text')).toHaveText(['5', '6', '9']);
    await expect(page.getByTestId('verified').locator('tr')).toHaveText([/valid$/, /refused$/, /refused$/]);

    await page.getByTestId('steal').click();
    await expect(page.getByTestId('thief-words')).toContainText('all failed');
    await expect(page.getByTestId('time-tree').locator('.cell.failed')).toHaveCount(3);
    // Fifteen cells show forged periods with a BLS key, and twelve with the stolen Pixel key.
    await expect(page.getByTestId('time-tree').locator('.cell.forged')).toHaveCount(15 + 12);

    await page.getByTestId('period').fill('9');
    await expect(page.getByTestId('thief-words')).toBeEmpty();
    await expect(page.getByTestId('time-tree').locator('.time-node.gone')).toHaveCount(8);
  });

  test('a link opens a period with a stolen key', async ({ page }) => {
    await page.goto('./pixel.html#period=2&stolen');
    await expect(page.getByTestId('thief-words')).toContainText('for the previous period: all failed');
  });
});
