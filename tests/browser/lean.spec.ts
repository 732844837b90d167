import { expect, test } from '@playwright/test';
import { openPage, testInCi, untilReady } from './page.ts';

testInCi('four strategies simulate a slot, and a link to a wasted merge opens it again', async ({ page, context }) => {
  await openPage(page, './lean.html');
  const strategies = page.locator('.strategy');
  await expect(strategies).toHaveCount(4);
  for (const strategy of await strategies.all()) await expect(strategy.locator('.column-fill')).toHaveCount(8);
  const scrub = page.getByTestId('scrub');
  const greedy = page.getByTestId('strategy-2');
  await scrub.fill('1700000');
  await expect(greedy.locator('.job.running').first()).toBeVisible();
  await expect(greedy.locator('.tally')).toContainText('0 of 0 merges wasted');
  await scrub.fill('4000000');
  await expect(greedy.locator('.job.running')).toHaveCount(0);
  const [, waste] = /(\d+) of \d+ merges wasted/.exec((await greedy.locator('.tally').textContent())!)!;
  await expect(page.getByTestId('outcome').locator('tbody tr').nth(1).locator('td').nth(4)).toHaveText(waste!);
  await page.getByTestId('next-wasted').click();
  const why = page.getByTestId('why');
  await expect(why).toContainText(
    /Wasted: prover \d+ \(subnet \d\) had already finished a proof with all of these votes/,
  );
  await expect(page).toHaveURL(/job=greedy:\d+/);
  const other = await context.newPage();
  await openPage(other, page.url());
  for (const id of ['why', 'verdict'])
    await expect(other.getByTestId(id)).toHaveText((await page.getByTestId(id).textContent())!);
});

test('plays a counterexample of the model checker', async ({ page }) => {
  await openPage(page, './lean.html#lean-check=rule:window-skip,subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:');
  const check = page.getByTestId('check');
  await expect(check).toContainText(
    'Windows, skipping: the aggregators belong to the following of the 4 subnets: 0, 2.',
  );
  await expect(check.locator('li').first()).toContainText('merges nothing: lonely');
  await expect(page).toHaveURL(/#lean-check=rule:window-skip/);
});

test('a strategy chosen during the simulation does not change the moment', async ({ page }) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/leanWorker-.*\.js$/, (route) => released.then(() => route.continue()));
  await page.goto('./lean.html#t=1500');
  await page.getByTestId('strategy-2').locator('select').selectOption('tree');
  release();
  await untilReady(page);
  await expect(page.locator('#clock')).toHaveText('1.50\u00a0s');
});

test('a panel without a recording says that its slot is not simulated', async ({ page }) => {
  await page.route(/leanWorker-.*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.goto('./lean.html');
  await expect(page.getByTestId('status')).toContainText('The slot could not be simulated');
  await expect(page.getByTestId('strategy-1')).toContainText('not simulated');
  await expect(page.getByTestId('strategy-1')).toHaveAttribute('aria-busy', 'false');
});

test('on a phone with reduced motion, a slot waits at its beginning, and the explanation of a selected merge scrolls into view', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page, './lean.html');
  await expect(page.getByTestId('more-pages')).toBeInViewport({ ratio: 1 });
  await expect(page.getByTestId('play')).toHaveAccessibleName('Play');
  await expect(page.locator('#clock')).toHaveText('0.00\u00a0s');
  await page.getByTestId('scrub').fill('4000000');
  await page.getByTestId('strategy-2').locator('.job.superseded rect').first().click();
  await expect(page.getByTestId('why')).toBeInViewport();
});
