import { expect, test } from '@playwright/test';
import { untilReady } from '../../../tests/browser/page.ts';

test.describe('anonymous signers', () => {
  test('the chain closes for each signer, but not after a changed bit or for a non-member', async ({ page }) => {
    await page.goto('./anonymous.html');
    await untilReady(page);
    const ring = page.getByTestId('ring');
    const words = page.getByTestId('chain-words');
    await expect(words).toContainText('One of the eight members made these 320 bytes');
    await expect(ring.locator('.challenge.closed')).toHaveCount(9);
    // The page does not reveal the signer.
    await expect(ring.locator('.maker')).toHaveCount(0);

    await page.getByTestId('signer').selectOption('member 2');
    await page.getByText('one bit changed').click();
    await expect(words).toContainText('One bit of member 6’s response was changed');
    await expect(ring.locator('.challenge.given')).toHaveCount(6);
    await expect(ring.locator('.challenge.off')).toHaveCount(3);
    await page.getByText('by a non-member').click();
    await expect(words).toContainText('A non-member draws all values at random');
    await expect(ring.locator('.challenge.closed')).toHaveCount(0);

    await page.getByText('unchanged').click();
    await page.getByTestId('reveal').check();
    await expect(words).toContainText('Member 2 signed.');
    await expect(ring.locator('.member.maker')).toHaveText(/2$/);
  });

  test('a member’s tag is the same for two keys of one event, and different in another event', async ({ page }) => {
    await page.goto('./anonymous.html#signer=3');
    await untilReady(page);
    const codes = page.getByTestId('tags').locator('code');
    await expect(codes).toHaveCount(4);
    const tags = await codes.allTextContents();
    expect(new Set(tags).size).toBe(3);
    expect(tags[2]).toBe(tags[0]);
    await expect(page.getByTestId('tags').locator('.seen')).toHaveText([
      ...['', 'different from tag 1', 'same as tag 1: one member, two keys', 'different from tag 1'],
    ]);
  });

  test('two registrations of one member have the same tag in its row, also from a link', async ({ page }) => {
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
    await page.getByRole('button', { name: 'No member registers twice' }).click();
    await expect(page.getByTestId('cheat-words')).toContainText('No row has the same tag twice');
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
