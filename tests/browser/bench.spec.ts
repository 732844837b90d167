import { expect, test } from '@playwright/test';
import { untilNothingSticksOut, untilReady } from './page.ts';

/** Round 1000 of quicknet, as it was published. */
const published = {
  round: 1000,
  randomness: 'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd',
  signature: 'b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39',
};

test.describe('the kernel in this browser', () => {
  test('verifies a round that drand published, and says of another what is wrong', async ({ page }) => {
    await page.goto('./bench.html');
    await untilReady(page);
    const verify = async (text: string) => {
      await page.getByTestId('beacon').fill(text);
      await page.getByTestId('verify-beacon').click();
    };
    await verify(JSON.stringify(published));
    const words = page.getByTestId('beacon-words');
    await expect(words).toHaveText(
      /^Valid: round 1000 of quicknet, under the key 83cf0f2896adee7e…, says blst-wasm\.$/,
    );
    await verify(JSON.stringify({ ...published, round: 1001 }));
    await expect(words).toHaveText(/^Not valid: .*: the signature is not that of the chain on this round\.$/);
    await verify('{"round": 1}');
    await expect(words).toHaveText('Not a round: expected "signature": hexadecimal digits.');
  });

  test('shows the figures of a link, with nothing sticking out at 390 pixels', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('./bench.html#engine=Firefox+155.0&scalar=1,3&simd=0.5,1.5');
    await expect(page.getByTestId('engine')).toHaveText('of the link: Firefox 155.0');
    await expect(page.getByTestId('figures').locator('tbody tr')).toHaveCount(8);
    await expect(page.getByTestId('figures').locator('tbody tr').first()).toHaveText(/^sign1\.000\.50\d/);
    const groups = page.getByTestId('figures').locator('th[scope=colgroup]');
    await expect(groups).toHaveText([
      /^Of the link$/,
      /^Ours: Chrome /,
      /^Ours: Chrome .*wide arithmetic/,
      /^Ours: Firefox /,
      /^Ours: Firefox .*wide arithmetic/,
    ]);
    await expect(page.getByTestId('ours')).toHaveText(/^Ours were measured on \d{4}-\d\d-\d\d \(.+, \d+ cores\)\.$/);
    await untilNothingSticksOut(page);
  });
});
