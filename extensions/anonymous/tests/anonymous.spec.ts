import { expect, test } from '@playwright/test';
import { untilReady } from '../../../tests/browser/page.ts';

test.describe('one of us signed', () => {
  test('the chain closes whoever of the eight signs, and after a changed bit or by a stranger it does not', async ({
    page,
  }) => {
    await page.goto('./anonymous.html');
    await untilReady(page);
    const ring = page.getByTestId('ring');
    const words = page.getByTestId('chain-words');
    await expect(words).toContainText('one of the eight made these 320 bytes');
    await expect(ring.locator('.challenge.closed')).toHaveCount(9);
    // The page does not reveal the signer.
    await expect(ring.locator('.maker')).toHaveCount(0);

    await page.getByTestId('signer').selectOption('member 2');
    await page.getByText('changed on its way').click();
    await expect(words).toContainText('One bit of member 6’s response was changed');
    await expect(ring.locator('.challenge.given')).toHaveCount(6);
    await expect(ring.locator('.challenge.off')).toHaveCount(3);
    await page.getByText('a stranger’s').click();
    await expect(words).toContainText('A stranger draws everything at random');
    await expect(ring.locator('.challenge.closed')).toHaveCount(0);

    await page.getByText('as it was made').click();
    await page.getByTestId('reveal').check();
    await expect(words).toContainText('It began at member 2');
    await expect(ring.locator('.member.maker')).toHaveText(/2$/);
  });

  test('a tag is the same for two keys of one event, and another in another event', async ({ page }) => {
    await page.goto('./anonymous.html#signer=3');
    await untilReady(page);
    const codes = page.getByTestId('tags').locator('code');
    await expect(codes).toHaveCount(4);
    const tags = await codes.allTextContents();
    expect(new Set(tags).size).toBe(3);
    expect(tags[2]).toBe(tags[0]);
    await expect(page.getByTestId('tags').locator('.seen')).toHaveText([
      ...['', 'nothing in common with 1', 'the tag of 1: one member, two keys', 'nothing in common with 1'],
    ]);
  });

  test('who registers twice meets itself in its own row, and a link says so', async ({ page }) => {
    await page.goto('./anonymous.html#cheat=5');
    await untilReady(page);
    const lines = page.getByTestId('lines');
    await expect(page.getByTestId('cheat-words')).toContainText('member 5 registered both');
    await expect(lines.locator('tr.named th')).toHaveText('5');
    await page.getByRole('button', { name: 'Member 8 registers twice' }).click();
    await expect(page.getByTestId('cheat-words')).toContainText('member 8 registered both');
    const [one, two, other] = await lines.locator('tr.named code').allTextContents();
    expect(two).toBe(one);
    expect(other).not.toBe(one);
    await page.getByRole('button', { name: 'Nobody cheats' }).click();
    await expect(page.getByTestId('cheat-words')).toContainText('no row has the same tag twice');
    await expect(lines.locator('.meeting')).toHaveCount(0);
  });

  test('larger rings cost more and hide better', async ({ page }) => {
    await page.goto('./anonymous.html#members=64&known=0');
    await untilReady(page);
    const rows = page.getByTestId('costs').locator('tbody tr');
    await expect(rows.locator('th')).toHaveText(['4', '8', '16', '32', '64']);
    await expect(rows.locator('.hiding')).toHaveText(['4', '8', '16', '32', '64']);
    await page.getByTestId('known').fill('50');
    await expect(rows.locator('.hiding').last()).toHaveText('33');
  });
});
