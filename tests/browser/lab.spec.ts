import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { openPage, saved, untilLettersAreThere, untilReady } from './page.ts';

test('a fault forks a run, the fork has a link, and both runs remain visible', async ({ page }) => {
  await openPage(page, './run.html#n=64&scheme=counting&attack=invalid:0.3&node=1&t=120');
  const before = await page.getByTestId('digest').textContent();
  await test.step('a line drawn around nodes of the ring chooses them', async () => {
    const flight = page.getByTestId('flight');
    await expect(flight.getByRole('img')).toHaveAccessibleName(/messages in flight/);
    await untilLettersAreThere(page);
    const circled = page.getByTestId('break-who').getByRole('button', { name: /^circled: 1\d nodes$/ });
    // Content above the element may still move it.
    await expect(async () => {
      const box = (await flight.locator('canvas').boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, box.y, { steps: 4 });
      await page.mouse.move(box.x + box.width, box.y, { steps: 4 });
      await page.mouse.move(box.x + box.width, y, { steps: 4 });
      await page.mouse.up();
      await expect(circled).toHaveAttribute('aria-pressed', 'true', { timeout: 5000 });
    }).toPass();
  });
  await page.getByRole('button', { name: /^Frankfurt/ }).click();
  await page.getByTestId('break-cut-off').click();
  await expect(page.getByTestId('digest')).not.toHaveText(before!);
  await untilReady(page);
  const rows = page.getByTestId('branches').locator('tbody tr');
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(1)).toContainText('Frankfurt cut off from 120 ms for 500 ms');
  await expect(rows.nth(1)).toContainText(/\d+ of 45/);
  const fields = page.getByTestId('branches').locator('.lane').getByRole('img');
  await expect(fields).toHaveCount(2);
  await page.getByTestId('branches').scrollIntoViewIfNeeded();
  await page.getByTestId('scrub').fill((await page.getByTestId('scrub').getAttribute('max'))!);
  for (const field of await fields.all()) await expect(field).toHaveAccessibleName(/: all 45 after \d/);
  await expect(page.locator('#marks .fault')).not.toHaveCount(0);

  const digest = await page.getByTestId('digest').textContent();
  const address = page.url();
  const printed = execFileSync(
    process.execPath,
    ['apps/node-cli/bin/tutti.js', 'simulate', '--link', address, '--json'],
    { encoding: 'utf8' },
  );
  expect(JSON.parse(printed).digest).toBe(digest);

  await rows.nth(0).getByRole('button', { name: 'original run' }).click();
  await expect(page.getByTestId('digest')).toHaveText(before!);
  await page.goBack();
  await expect(page.getByTestId('digest')).toHaveText(digest!);
});

test('Undo removes the last mechanism or fault only, and another setting does not reset earlier ones', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openPage(page, './run.html#n=16&scheme=counting&t=100');
  const fastPath = page.getByTestId('off-fast-path');
  await fastPath.click();
  await expect(fastPath).toHaveAttribute('aria-checked', 'false');
  await page.getByTestId('undo').click();
  await expect(fastPath).toHaveAttribute('aria-checked', 'true');
  const shown = page.locator('#branches [aria-current]');
  for (const fault of ['cut-off', 'invalid']) await page.getByTestId(`break-${fault}`).click();
  await expect(shown).toHaveText(/cut off.*invalid/);
  await page.getByTestId('undo').last().click();
  await expect(shown).toHaveText(/cut off [^;]*$/);
  await page.getByTestId('word-other').click();
  await page.getByTestId('field-branching').fill('4');
  await page.getByTestId('field-branching').press('Tab');
  await page.getByTestId('field-threshold').fill('0.6');
  await page.getByTestId('field-threshold').press('Tab');
  await expect(page).toHaveURL(/threshold=0\.6.*branching=4|branching=4.*threshold=0\.6/);
});

test('the map, the messages over time and the completion time show the same node', async ({ page }) => {
  await openPage(page, './run.html#n=64&scheme=counting&node=3&t=150&view=map');
  const flight = page.getByTestId('flight');
  await expect(flight.getByRole('img')).toHaveAccessibleName(
    /^64 nodes at 11 places on the globe, \d+ messages in flight/,
  );
  await page.getByTestId('time-space').scrollIntoViewIfNeeded();
  const tally = page.locator('#time-space-tally');
  await expect(tally).toHaveText(/^\d+ incoming and \d+ outgoing messages\.$/);
  await expect(page.getByTestId('time-space').getByRole('img')).toHaveAccessibleName(/messages to node 3 and/);
  const pile = page.getByTestId('completion');
  await pile.scrollIntoViewIfNeeded();
  await expect(pile.locator('.own-name')).toHaveText(/^node 3, \d/);
  await expect(pile.locator('.published')).toHaveText('published, 100 nodes');

  const before = await tally.textContent();
  await page.getByTestId('node').fill('40');
  await page.getByTestId('node').press('Tab');
  // Elements outside the viewport are not drawn.
  await pile.scrollIntoViewIfNeeded();
  await expect(pile.locator('.own-name')).toHaveText(/^node 40, \d/);
  await page.getByTestId('time-space').scrollIntoViewIfNeeded();
  await expect(tally).not.toHaveText(before!);
  await expect(page).toHaveURL(/view=map/);

  await page.getByRole('radio', { name: 'levels' }).check();
  await expect(flight.getByRole('img')).toHaveAccessibleName(/^Nodes with a complete level/);
  await expect(page).toHaveURL(/view=levels/);
  await openPage(page, './run.html#n=16&scheme=counting&network=constant:50&t=100&view=map');
  await expect(flight.getByRole('img')).toHaveAccessibleName(/messages in flight between 16 nodes/);
  await expect(page.getByRole('radio', { name: 'map' })).toBeHidden();
});

test('other protocols are shown next to a run on one clock, and a link restores them', async ({ page }) => {
  await openPage(page, './run.html#n=64&scheme=counting&t=200');
  await page.getByTestId('compare-san-fermin').click();
  await page.getByTestId('compare-gossip').click();
  const runs = page.getByTestId('compare-runs');
  await expect(runs.getByRole('img')).toHaveCount(3);
  await expect(page).toHaveURL(/compare=san-fermin,gossip/);
  await expect(page.locator('#clock')).toHaveText('200.0 ms');
  await page.getByTestId('scrub').fill((await page.getByTestId('scrub').getAttribute('max'))!);
  for (const field of await runs.getByRole('img').all()) await expect(field).toHaveAccessibleName(/: all 64 after \d/);
  await page.getByTestId('picture-view').selectOption('compare-runs');
  for (const [as, holds] of Object.entries({ svg: /<text [^>]*>San Fermín<\/text>/, csv: /^gossip,63,\d/m }))
    expect(readFileSync(await (await saved(page, `picture-${as}`)).path(), 'utf8')).toMatch(holds);
  await page.getByTestId('compare-fold').click();
  await expect(page.locator('#guide')).toBeHidden();

  await openPage(page, './run.html#n=16&scheme=counting&compare=complete-graph&t=50');
  await expect(runs.getByRole('heading')).toHaveText(['Handel', 'complete graph']);
  await page.getByRole('button', { name: 'Remove complete graph' }).click();
  await expect(runs).toBeHidden();
  await page.goto('./run.html#n=16&scheme=counting&compare=gossip&t=50');
  await expect(runs.getByRole('heading')).toHaveText(['Handel', 'gossip']);
  await test.step('after Stop, the previous run remains with its comparison and its result', async () => {
    await page.goto('./run.html#n=65536&scheme=counting');
    await page.getByTestId('stop').click();
    await expect(page.getByTestId('status')).toHaveText('Stopped. The page still shows the previous run.');
    await expect(runs.getByRole('heading')).toHaveText(['Handel', 'gossip']);
    await expect(page.locator('#signature-sub')).toHaveText('This run only counts signatures.');
    await expect(page).toHaveURL(/#n=16&.*compare=gossip/);
  });
  await test.step('while no run is shown, no protocol can be added', async () => {
    await page.goto('about:blank');
    await page.goto('./run.html#n=65536&scheme=counting');
    await page.getByTestId('stop').click();
    await expect(page.locator('#compare-who button')).toHaveCount(0);
  });
});

test('the verification queue shows waiting contributions, the reason of each position, and the verified ones', async ({
  page,
}) => {
  await openPage(page, './run.html#n=64&scheme=counting&attack=invalid:0.4&node=1&t=232&verify-ms=20&window=paper');
  await test.step('the queue has its final height before it is drawn', async () => {
    const queue = page.locator('#queue-figure');
    const rows = page.getByTestId('queue-rows').locator('> li');
    await untilLettersAreThere(page);
    const { height } = (await queue.boundingBox())!;
    await expect(rows).toHaveCount(0);
    await queue.scrollIntoViewIfNeeded();
    await expect(rows).toHaveCount(6);
    await expect.poll(async () => (await queue.boundingBox())!.height).toBeCloseTo(height, 0);
  });
  await expect(page.locator('#queue-figure')).toHaveAttribute('data-at', '232000');
  await expect(page.getByTestId('queue-stamps')).toContainText('invalid: window 16 to 4');
  await expect(page.getByTestId('queue-why')).toContainText('Select a waiting contribution');
  const waiting = page.locator('.queue-waiting .queue-item');
  const many = await waiting.count();
  expect(many).toBeGreaterThan(2);
  for (let place = 0; place < many; place++) {
    const sender = await waiting.nth(place).getAttribute('data-sender');
    await waiting.nth(place).click();
    await expect(page.getByTestId('queue-why')).toContainText(
      new RegExp(`^Node ${sender}’s .*(claims to add|adds? nothing|already included)`),
    );
  }
  await page.getByTestId('scrub').fill('400000');
  await expect(page.locator('#queue-figure')).toHaveAttribute('data-at', '400000');
  await expect(page.getByTestId('queue-stamps')).toContainText('valid, adds');
});

test('a finished run accepts no fault, and is saved for Perfetto, for ShiViz, as CSV and as Parquet', async ({
  page,
}) => {
  await openPage(page, './run.html#n=16&scheme=counting&t=100000');
  await page.getByTestId('break-stop').click();
  await expect(page.locator('#break-note')).toContainText('The run is over at this time');
  for (const [name, file] of [
    ['perfetto', 'tutti-16-1.perfetto-trace'],
    ['shiviz', 'tutti-16-1.log'],
    ['csv', 'tutti-16-1.csv'],
    ['parquet', 'tutti-16-1.parquet'],
  ] as const)
    expect((await saved(page, `save-${name}`)).suggestedFilename()).toBe(file);
});

test('a run is filmed while it plays', async ({ page }) => {
  await openPage(page, './run.html#n=8&scheme=counting&t=0');
  await page.getByTestId('speed').selectOption('1');
  const file = await saved(page, 'clip');
  expect(file.suggestedFilename()).toBe('tutti-8-1.webm');
  // The magic number of EBML, with which every WebM file begins.
  expect(readFileSync(await file.path()).readUInt32BE()).toBe(0x1a45dfa3);
  await page.getByRole('radio', { name: 'levels' }).check();
  await page.getByTestId('clip').click();
  await expect(page.locator('#save-clip').getByRole('status').first()).toHaveText('This view cannot be recorded');
});

test('the track shows a part of the run, and a search finds a message and its node', async ({ page }) => {
  await openPage(page, './run.html#n=16&scheme=counting&seed=1&t=100');
  const scrub = page.getByTestId('scrub');
  const whole = (await scrub.getAttribute('max'))!;
  for (const _ of [1, 2]) await page.locator('body').press('+');
  const [from, until] = await scrub.evaluate(({ min, max }: HTMLInputElement) => [Number(min), Number(max)] as const);
  expect(until - from).toBeLessThan(0.26 * Number(whole));
  expect(from < 100_000 && until > 100_000).toBe(true);
  await page.locator('body').press('/');
  await page.getByTestId('search-text').fill('7 > 12');
  await page.getByTestId('search-text').press('Enter');
  await expect(page.getByTestId('search-said')).toHaveText(/^Message from node 7 to node 12: sent at /);
  await expect(page.getByTestId('node')).toHaveValue('12');
  await page.getByTestId('search-text').press('Escape');
  await page.getByTestId('unzoom').click();
  await expect(scrub).toHaveAttribute('max', whole);
});
