import { expect, test } from '@playwright/test';
import { untilReady } from '../../../tests/browser/page.ts';

test.describe('a key that forgets', () => {
  test('a thief of the key signs from then on, and at no earlier period', async ({ page }) => {
    await page.goto('./pixel.html#period=3');
    await untilReady(page);
    await expect(page.getByTestId('key-words')).toContainText('Periods 1 to 2 are gone');
    await page.getByTestId('update').click();
    await expect(page.getByTestId('period-now')).toHaveText('period 4 of 15');
    await expect(page.getByTestId('time-tree').locator('.time-node.held text')).toHaveText(['5', '6', '9']);
    await expect(page.getByTestId('verified').locator('tr')).toHaveText([/valid$/, /refused$/, /refused$/]);

    await page.getByTestId('steal').click();
    await expect(page.getByTestId('thief-words')).toContainText('all failed');
    await expect(page.getByTestId('time-tree').locator('.cell.failed')).toHaveCount(3);
    // Fifteen forged periods with a BLS key, twelve with this one.
    await expect(page.getByTestId('time-tree').locator('.cell.forged')).toHaveCount(15 + 12);

    await page.getByTestId('period').fill('9');
    await expect(page.getByTestId('thief-words')).toBeEmpty();
    await expect(page.getByTestId('time-tree').locator('.time-node.gone')).toHaveCount(8);
  });

  test('a link opens a period with its theft', async ({ page }) => {
    await page.goto('./pixel.html#period=2&stolen');
    await expect(page.getByTestId('thief-words')).toContainText('on the period before: all failed');
  });
});
