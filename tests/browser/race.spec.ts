import { expect, test } from '@playwright/test';

test.describe('the race', () => {
  test('plays at once, and Handel is done before anybody else', async ({ page }) => {
    await page.goto('./race.html');
    await expect(page.getByTestId('play')).toHaveText('Pause');
    await page.getByTestId('scrub').fill('8000');
    await expect(page.getByTestId('play')).toHaveText('Play');
    await expect(page.getByTestId('clock')).toHaveText('0.40 s');
    await expect(page.locator('[data-protocol="handel"] .count')).toHaveText(/^all 1,024 after 0\.\d\d\ss$/);
    for (const rival of ['san-fermin', 'complete-graph', 'gossip']) {
      await expect(page.locator(`[data-protocol="${rival}"] .count`)).toHaveText(/^\d+ of 1,024 hold 99 %$/);
    }
  });

  test('a link shows the same moment; the handle and the dead change what it took', async ({ page }) => {
    await page.goto('./race.html#dead=0.2&t=3000');
    await expect(page.getByTestId('clock')).toHaveText('3.00 s');
    await expect(page.getByTestId('race-dead')).toBeChecked();
    await expect(page.locator('[data-protocol="handel"] .count')).toHaveText(/^all 820 after/);
    const before = await page.getByTestId('bars').textContent();
    await page.getByTestId('race-n').fill('0');
    await expect(page.locator('#race-n-value')).toHaveText('64');
    expect(await page.getByTestId('bars').textContent()).not.toBe(before);
    await page.getByTestId('race-dead').uncheck();
    await expect(page.locator('[data-protocol="handel"] .count')).toHaveText(/1,024/);
  });

  test('runs again in the page with the same digests, Handel first', async ({ page }) => {
    await page.goto('./race.html#t=0');
    await page.getByTestId('again').click();
    await expect(page.locator('[data-protocol="handel"] .again-line')).toHaveText(/^same digest, [0-9a-f]{16}$/, {
      timeout: 60_000,
    });
    await expect(page.locator('[data-protocol="san-fermin"] .again-line')).toHaveText(/^same digest/, {
      timeout: 60_000,
    });
  });

  test('at 390 pixels nothing sticks out', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('./race.html#t=500');
    await expect(page.getByTestId('clock')).toHaveText('0.50 s');
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
    ).toBeLessThanOrEqual(0);
  });
});
