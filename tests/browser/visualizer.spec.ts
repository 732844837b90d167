import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { openPage, untilReady } from './page.ts';

test('a first visit runs 64 nodes with real signatures, and noble-curves verifies the result', async ({ page }) => {
  await page.goto('./run.html');
  await expect(page.getByTestId('n')).toHaveValue('64');
  await expect(page.getByTestId('scheme')).toHaveValue('bls');

  await test.step('it plays while the run goes on', async () => {
    await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
    await expect(page.getByTestId('tree').locator('rect.cell')).toHaveCount(63);
  });

  await test.step('the multi-signature is there, and checked', async () => {
    await untilReady(page);
    await expect(page.getByTestId('signature')).toHaveText(/^[0-9a-f]{192}$/);
    await expect(page.getByTestId('signature-verdict')).toHaveText(/^Verified by noble-curves on this page/);
  });

  await test.step('with one bit flipped it is rejected, and with the bit put back it is verified', async () => {
    await page.getByTestId('tamper').click();
    await expect(page.getByTestId('signature-verdict')).toHaveText(/^Rejected by noble-curves/);
    await page.getByTestId('tamper').click();
    await expect(page.getByTestId('signature-verdict')).toHaveText(/^Verified by noble-curves/);
  });

  await test.step('the signers of an earlier run are no longer described', async () => {
    const signers = page.locator('#signers');
    await expect(signers).toHaveAccessibleName(/^Signers: \d/);
    await page.goto('./run.html#n=8&scheme=counting');
    await expect(signers).not.toHaveAttribute('aria-label');
    await expect(signers).not.toHaveAttribute('role');
  });
});

test('scrubbing, stepping and choosing a node show another moment, and the address says which', async ({ page }) => {
  await openPage(page, './run.html#n=64&scheme=counting&seed=3&node=12&t=150');
  const tree = page.getByTestId('tree').getByRole('img');
  const clock = page.locator('#clock');
  await expect(clock).toHaveText('150.0 ms');

  const scrub = page.getByTestId('scrub');
  await scrub.fill((await scrub.getAttribute('max'))!);
  await expect(tree).toHaveAccessibleName(/(63|64) of 64 contributions in/);
  // A complete level does not depend on the colour gold alone: each of its cells and the legend have a tick.
  await expect.poll(() => page.locator('#tree .row.complete').count()).toBeGreaterThan(2);
  await expect(page.locator('#tree .row.complete .ticks').first()).toBeVisible();
  const swatch = page.locator('#progress-legend .swatch.done');
  expect(await swatch.evaluate((element) => getComputedStyle(element, '::after').borderBottomWidth)).not.toBe('0px');
  expect(await swatch.evaluate((element) => getComputedStyle(element, '::after').content)).toBe('""');
  await scrub.fill('0');
  await expect(tree).toHaveAccessibleName(/at 0\.0\sms: 1 of 64 contributions in/);

  await page.getByTestId('step').click();
  await expect(clock).not.toHaveText('0.0 ms');
  const stepped = await clock.textContent();
  await page.locator('body').press('ArrowRight');
  await expect(clock).not.toHaveText(stepped!);
  await page.locator('body').press('ArrowLeft');
  await expect(clock).toHaveText(stepped!);

  await page.getByTestId('tree').locator('rect[data-node="40"]').click();
  await expect(tree).toHaveAccessibleName(/^Tree of node 40/);
  await expect(page.getByTestId('node')).toHaveValue('40');
  await expect(page).toHaveURL(/node=40/);

  const strip = (await page.getByTestId('progress').boundingBox())!;
  await page.getByTestId('progress').click({ position: { x: strip.width / 2, y: 6 } });
  await expect(page.getByTestId('node')).toHaveValue('0');

  await page.locator('body').press(' ');
  await expect(page.getByTestId('play')).toHaveAccessibleName('Pause');
  await page.locator('body').press(' ');
  await expect(page.getByTestId('play')).toHaveAccessibleName('Play');
});

test('a link shows the same view again, and the command that the page shows prints the digest that the page shows', async ({
  page,
}) => {
  await openPage(
    page,
    './run.html#n=100&scheme=counting&network=constant:40&dead=0.2&seed=9&node=33&t=201.5&ring=region',
  );
  await expect(page.locator('#clock')).toHaveText('201.5 ms');
  const tree = page.getByTestId('tree').getByRole('img');
  // Elements that may be out of view are not drawn.
  await expect(tree).toHaveAccessibleName(/^Tree of node 33 at 201\.5/);
  const name = await tree.getAttribute('aria-label');
  const digest = await page.getByTestId('digest').textContent();
  const address = page.url();

  await openPage(page, address);
  await expect(tree).toHaveAttribute('aria-label', name!);
  await expect(page.getByTestId('digest')).toHaveText(digest!);
  await expect(page).toHaveURL(address);

  const shown = (await page.locator('#command').textContent())!;
  const [npx, tutti, ...flags] = shown.split(/\s+/);
  expect([npx, tutti]).toEqual(['npx', 'tutti']);
  const printed = execFileSync(process.execPath, ['apps/node-cli/bin/tutti.js', ...flags, '--json'], {
    encoding: 'utf8',
  });
  await expect(page.getByTestId('digest')).toHaveText(JSON.parse(printed).digest);

  const said = await page.evaluate(() => {
    // Pages from other computers have no clipboard without HTTPS.
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    const button = document.querySelector<HTMLButtonElement>('#copy-command')!;
    button.click();
    return button.textContent;
  });
  expect(said).toBe('Not allowed here');
});

test('a picture that is shown from the beginning of a run has the whole run at its end', async ({ page }) => {
  await openPage(page, './run.html#n=128&scheme=bls&view=levels');
  const scrub = page.getByTestId('scrub');
  await scrub.fill((await scrub.getAttribute('max'))!);
  await expect(page.getByTestId('flight').getByRole('img')).toHaveAccessibleName(/Level 7: 100\s%/);
});

test('a run can be stopped', async ({ page }) => {
  await page.goto('./run.html#n=512&scheme=bls');
  await expect(page.getByTestId('status')).toContainText('of virtual time');
  await page.getByTestId('stop').click();
  await untilReady(page);
  await expect(page.getByTestId('status')).toContainText('Stopped');
  await expect(page.getByTestId('run')).toBeEnabled();
});

test('a run of Handel is drawn among the published points, and a run of a baseline is not', async ({ page }) => {
  await openPage(page, './run.html#n=64&scheme=counting&network=cities&t=100');
  const growth = page.getByTestId('growth');
  await growth.scrollIntoViewIfNeeded();
  await expect(growth.locator('.point')).toHaveCount(6);
  const mean = await page.locator('#numbers tbody tr').first().locator('td').nth(1).textContent();
  await expect(growth.getByTestId('growth-run').locator('title')).toHaveText(`this run: 64 nodes, ${mean} ms`);
  await expect(page.locator('#growth-sub')).toContainText('another network, cities');
  await page.getByTestId('word-protocol').click();
  await page.getByTestId('protocol').selectOption('complete-graph');
  await expect(page).toHaveURL(/protocol=complete-graph/);
  await untilReady(page);
  await expect(page.locator('#growth-figure')).toBeHidden();
});

test('an added attack is drawn separately, described, and part of the link', async ({ page }) => {
  await page.goto('./run.html#n=64&scheme=counting&network=aws&dead=0&seed=1&node=1&t=200');
  await expect(page.locator('html')).toHaveAttribute('data-state', 'ready');
  await expect(page.locator('#flight-legend')).not.toContainText(/Byzantine|liar/);
  await page.getByTestId('word-attack').click();
  await page.getByTestId('attack').selectOption('invalid');
  await expect(page.getByTestId('status')).toHaveText(/^All 45 nodes finished/);
  await expect(page.locator('#flight-legend')).toContainText('Byzantine node');
  await expect(page.locator('#flight-legend')).toContainText('from a Byzantine node');
  await expect(page.locator('#guide')).toContainText('First invalid');
  await expect(page).toHaveURL(/attack=invalid:0\.3/);
  await test.step('keys jump from mark to mark, and a sheet says which keys there are', async () => {
    const clock = page.locator('#clock');
    await page.getByTestId('scrub').fill('0');
    await expect(clock).toHaveText('0.0\u00a0ms');
    await page.locator('body').press(']');
    await expect(page.locator('.chapters [aria-current]')).toHaveText(/^First message/);
    await expect(clock).not.toHaveText('0.0\u00a0ms');
    await page.locator('body').press('[');
    await expect(clock).toHaveText('0.0\u00a0ms');
    await page.locator('#marks .invalid button').first().click();
    await expect(page.locator('.chapters [aria-current]')).toHaveText('First invalid');
    await page.locator('body').press(',');
    await expect(page.locator('.chapters [aria-current]')).not.toHaveText('First invalid');

    await page.locator('body').press('?');
    await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('mark on the timeline');
    await page.locator('body').press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  const byzantine = page.locator('#tree .cell.byzantine');
  await expect(byzantine.nth(10)).toBeAttached();
  await byzantine.first().click();
  await expect(page.locator('#node-world')).toHaveText(/^Byzantine/);

  await test.step('the form keeps the plan and the share of a link, even if the share exceeds the usual range', async () => {
    const attack = 'attack=across-levels:0.6:1of16:invalid@ahead';
    await openPage(page, `./run.html#n=16&scheme=counting&${attack}`);
    await expect(page.getByTestId('word-attack')).toHaveText('60 % attackers (across levels)');
    await expect(page.locator('#scheme-note')).not.toContainText('previous run');
    await page.getByTestId('word-seed').click();
    await page.locator('#seed-next').click();
    await expect(page).toHaveURL(/&seed=2&/);
    expect(decodeURIComponent(page.url())).toContain(attack);
  });
});

test('an invalid field of a link is reported with its replacement, and Back opens the previous run', async ({
  page,
}) => {
  await openPage(page, './run.html#n=32&protocol=gossips&scheme=counting&t=0');
  await expect(page.getByTestId('notices')).toContainText('handel is used');
  const first = await page.getByTestId('digest').textContent();

  // The test leaves the page before the address is updated.
  await page.getByTestId('scrub').fill('100000');
  await page.getByTestId('word-protocol').click();
  await page.getByTestId('protocol').selectOption('complete-graph');
  await expect(page).toHaveURL(/protocol=complete-graph/);
  await untilReady(page);
  await expect(page.getByTestId('notices')).toBeHidden();
  await expect(page.locator('#no-tree')).toContainText('no levels');
  await expect(page.getByTestId('digest')).not.toHaveText(first!);

  await page.goBack();
  await untilReady(page);
  await expect(page.getByTestId('digest')).toHaveText(first!);
  await expect(page.locator('#clock')).toHaveText('100.0\u00a0ms');
});
