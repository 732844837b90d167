import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { errorsOf, openPage, saved, testInCi, untilNothingSticksOut, untilReady as untilPageReady } from './page.ts';

const grouped = (value: number) => new Intl.NumberFormat('en').format(value);
test.setTimeout(600_000);

const untilReady = (page: Page) => untilPageReady(page, 250_000);

/** Returns the results on the page for a system, by the title of the row. */
async function written(page: Page, system: 'status-quo' | 'strawman' | 'horn'): Promise<Record<string, string>> {
  const column = { 'status-quo': 0, strawman: 1, horn: 2 }[system];
  const rows = await page.getByTestId('systems').locator('tbody tr').all();
  const lines = rows.map(async (row) => [
    await row.locator('th').textContent(),
    await row.locator('td').nth(column).textContent(),
  ]);
  return Object.fromEntries(await Promise.all(lines));
}

test('a link opens a slot, whose numbers are those that the command line prints', async ({ page }) => {
  const errors = errorsOf(page);
  await page.goto('./#protocol=horn&n=16384&seed=5&dead=0.1&desync=500&committee=2&subcommittee=3&t=12300');
  await expect(page).toHaveURL(/horn\.html#protocol=horn&n=16384/);
  await untilReady(page);
  await expect(page.locator('#clock')).toHaveText('12.30 s');

  const [npx, tutti, ...flags] = (await page.locator('#command').textContent())!.split(/\s+/);
  expect([npx, tutti]).toEqual(['npx', 'tutti']);
  const printed = JSON.parse(
    execFileSync(process.execPath, ['apps/node-cli/bin/tutti.js', ...flags, '--json'], { encoding: 'utf8' }),
  );
  await expect(page.getByTestId('digest')).toHaveText(printed.digest);
  expect(await written(page, 'horn')).toMatchObject({
    'votes in the slot': grouped(printed.votes.cast),
    'time until the proposer has verified 99 %, s': (printed.blockReachMs / 1000).toFixed(2),
    'messages on the global topic': String(printed.topics.global.messages),
    'MB on the global topic (each message counted once)': (printed.topics.global.bytes / 1e6).toFixed(2),
    'verification time on one core, s': printed.verificationSeconds.total.toFixed(2),
  });

  await test.step('it can be scrubbed through and stepped', async () => {
    const votes = page.getByTestId('field').getByRole('img');
    const scrub = page.getByTestId('scrub');
    const cast = grouped(printed.votes.cast);
    await scrub.fill('0');
    await expect(votes).toHaveAccessibleName(new RegExp(`^Votes at 0\\.00.s: 0 of ${cast} cast`));
    await page.locator('body').press('ArrowRight');
    await expect(page.locator('#clock')).toHaveText('4.00 s');
    await page.getByTestId('step-back').click();
    await expect(page.locator('#clock')).toHaveText('0.00 s');
    await scrub.fill((await scrub.getAttribute('max'))!);
    const inReach = grouped(printed.votes.inReach);
    await expect(votes).toHaveAccessibleName(
      new RegExp(`${cast} of ${cast} cast, .* ${inReach} verified by the proposer`),
    );
    await expect(page.locator('#at-reach td').first()).toHaveText(inReach);
    await expect(page.locator('#at-collections td').first()).toHaveText(String(printed.topics.global.messages));
    await expect(page).toHaveURL(/t=22000$/);
  });

  await test.step('a committee and a subcommittee can be chosen', async () => {
    await expect(page.getByTestId('committee')).toHaveValue('2');
    await expect(page.getByTestId('subcommittee')).toHaveValue('3');
    await page
      .getByTestId('field')
      .locator('canvas')
      .click({ position: { x: 8, y: 24 } });
    await expect(page.getByTestId('committee')).toHaveValue('0');
    await expect(page.getByTestId('subcommittee')).toHaveValue('0');
    await expect(page.locator('.tip')).toHaveText(
      /^committee 0, subcommittee 0: (\d+) of \1 votes verified by the proposer$/,
    );
    await page.getByTestId('committee').fill('3');
    await page.getByTestId('committee').press('Enter');
    await expect(page).toHaveURL(/committee=3/);
  });

  await test.step('each view is kept as a picture, and as its numbers', async () => {
    for (const [view, as, holds] of [
      ['field', 'svg', /<image /],
      ['field', 'csv', /\n3,7,\d+,\d+,\d+,\d+\n$/],
      ['slot-chart', 'svg', /<path /],
      ['slot-chart', 'csv', /\n4\.1,\d+,/],
      ['slot-chart', 'parquet', /^PAR1.*\{"time_seconds":"s"\}.*PAR1$/s],
    ] as const) {
      await page.getByTestId('picture-view').selectOption(view);
      expect(readFileSync(await (await saved(page, `picture-${as}`)).path(), 'utf8')).toMatch(holds);
    }
  });

  await test.step('the first change of the model keeps the slot that the form says', async () => {
    await page.getByText('a network with bandwidth', { exact: true }).click();
    await expect(page).toHaveURL(/#model=network&system=horn&n=16384&.*seed=5/);
    await expect(page.getByTestId('n')).toHaveValue('16384');
  });
  expect(errors).toEqual([]);
});

testInCi('a first visit shows three systems side by side, paused at 12 s, and simulates nothing', async ({ page }) => {
  const errors = errorsOf(page);
  let workers = 0;
  page.on('worker', () => workers++);
  await openPage(page, './horn.html');
  await expect(page.locator('#clock')).toHaveText('12.00\u00a0s');
  for (const [system, share, now] of [
    ['status-quo', '100\u00a0%', 'verified 32,768 of 32,768 votes'],
    ['strawman', '78\u00a0%', 'verified 816,640 of 1,048,576 votes'],
    ['horn', '0\u00a0%', 'verified 0 of 1,048,576 votes; aggregators have verified all votes'],
  ]) {
    const field = page.getByTestId(`three-${system}`);
    await expect(field.locator('strong')).toHaveText(share!);
    await expect(field).toContainText(now!);
    await expect(field.getByRole('img')).toBeInViewport();
  }
  expect(workers).toBe(0);

  await test.step('Play goes on to the end of Horn’s slot, and from the beginning waits at 12 s again', async () => {
    await page.getByTestId('speed').selectOption('0.1');
    await page.getByTestId('play').click();
    await expect(page.locator('#clock')).toHaveText('22.00\u00a0s');
    await expect(page.getByTestId('three-horn')).toContainText('verified 1,048,576 of 1,048,576 votes');
    await expect(page.getByTestId('three-strawman')).toContainText('too late for its block');
    // One frame before the end, the clock already shows the final time.
    await expect(page.getByTestId('play')).toHaveAccessibleName('Play');
    await page.getByTestId('play').click();
    await expect(page.getByTestId('play')).toHaveAccessibleName('Play');
    await expect(page.locator('#clock')).toHaveText('12.00\u00a0s');
  });

  await test.step('another system opens vote by vote, and the three are compared after all are simulated', async () => {
    await page.getByTestId('n').selectOption('16384');
    await page.getByTestId('run').click();
    await expect(page.getByTestId('field').locator('canvas')).toBeVisible();
    await expect(page.getByTestId('three')).toBeHidden();
    await untilReady(page);
    await page.getByTestId('play').click();
    await page.getByTestId('play-others').click();
    await expect(page.locator('#systems .open')).toHaveCount(0);
    await expect(page.getByTestId('see-horn')).toHaveAttribute('aria-current', 'true');
    await expect(page.getByTestId('play-others')).toBeDisabled();
    await expect(page.getByTestId('three')).toBeVisible();
    await page.getByTestId('scrub').fill('12000000');
    await expect(page.getByTestId('three-strawman')).toContainText('verified 16,384 of 16,384 votes');
  });
  expect(errors).toEqual([]);
});

test('Eve takes honest votes from Horn, and the page says how many', async ({ page }) => {
  await openPage(page, './horn.html#protocol=horn&n=16384&attack=griefing:0.3&t=0');
  await expect(page.getByTestId('attack')).toHaveValue('griefing');
  await expect(page.locator('#guide')).toContainText('Eve controls 30');
  await expect(page.getByText('honest vote excluded by Eve')).toBeVisible();
  await page.getByRole('button', { name: 'Next block' }).click();
  await expect(page.locator('#guide')).toContainText('Eve excludes');
  const [, lost] = /Eve excludes (\d[\d,]*) honest votes/.exec((await page.locator('#guide').textContent())!)!;
  expect(Number(lost!.replace(',', ''))).toBeGreaterThan(1000);
  const [voters, inReach] = await Promise.all(
    ['voters', 'reach'].map(async (line) =>
      Number((await page.locator(`#at-${line} td`).first().textContent())!.replace(',', '')),
    ),
  );
  expect(voters! - inReach!).toBe(Number(lost!.replace(',', '')));
});

test('without its recorded slots, the page says so and simulates the chosen slot', async ({ page }) => {
  await page.route(/slots-.*\.json$/, (route) => route.fulfill({ status: 404 }));
  await openPage(page, './horn.html#n=16384');
  await expect(page.locator('#three-sub')).toContainText(/The recorded slots could not be loaded: .*\.json: 404/);
  await expect(page.locator('#title')).toHaveText('16,384 votes for one block.');
});

test('with reduced motion, a slot waits at its beginning, and its form fits a phone', async ({ browser }) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await openPage(page, './horn.html#protocol=horn-status-quo&n=16384&attack=late:0.1');
  await expect(page.getByTestId('play')).toHaveAccessibleName('Play');
  await expect(page.locator('#clock')).toHaveText('0.00\u00a0s');
  await page.getByRole('button', { name: 'Choose another slot' }).click();
  await expect(page.getByTestId('n')).toBeVisible();
  await untilNothingSticksOut(page);
  await page.close();
});

test('a link to a network loads that stage alone, whose picture begins in the first screen of a phone', async ({
  browser,
}) => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openPage(page, './horn.html#model=network');
  expect(asked.filter((url) => /(post|network)Stage.*js$/.test(url))).toEqual([
    expect.stringContaining('networkStage'),
  ]);
  const picture = page.getByTestId('node-map').locator('canvas');
  await expect(picture).toBeVisible();
  const dock = (await page.locator('#dock').boundingBox())!;
  expect(dock.y - (await picture.boundingBox())!.y).toBeGreaterThan(90);
  await untilNothingSticksOut(page);
  await page.close();
});

test('the next seed keeps the length and the proposals of a slot, which have no controls', async ({ page }) => {
  await page.goto('./horn.html#model=network&n=16384&slot=6&proposal=late');
  const status = page.getByTestId('status');
  await expect(status).toHaveText(/^Running Horn, slot length 6 s on/);
  await page.locator('#seed-next').click();
  await expect(status).toHaveText(/^Running Horn, slot length 6 s on/);
  await untilReady(page);
  await expect(page).toHaveURL(/&seed=2&.*&proposal=late&slot=6&/);
});

testInCi('a network with bandwidth: nodes by class, the queue, the frontier, and new slots', async ({ page }) => {
  const errors = errorsOf(page);
  await page.goto('./network.html?from=docs');
  await expect(page).toHaveURL(/horn\.html\?from=docs#model=network/);
  await untilReady(page);
  const status = page.getByTestId('status');
  await expect(status).toContainText('a proposer had verified 100.0\u00a0% of 1,048,576 votes');
  await expect(page.getByTestId('node-map').locator('canvas')).toHaveAttribute('aria-label', /home, .*: 6,000 nodes/);
  await expect(page.getByTestId('frontier').locator('.own-slot').first()).toBeVisible();
  await expect(page.getByTestId('field')).toBeHidden();
  await page.getByTestId('scrub').fill('22000000');
  await expect(page.locator('#at-reach td')).toHaveText(['1,048,576', '1,048,576', '1,048,576']);
  await expect(page.locator('#at-waits td')).toHaveText(['–', '0', '0']);
  await expect(page.locator('#guide')).toContainText('proposer has verified 100.0');
  expect((await saved(page, 'map-parquet')).suggestedFilename()).toBe('tutti-slots.parquet');

  await test.step('what is chosen meanwhile is what is shown', async () => {
    await page.getByTestId('system').selectOption('phase0');
    await page.getByTestId('run').click();
    await page.getByTestId('system').selectOption('horn');
    await expect(page.locator('#stop')).toBeDisabled();
    await expect(status).toHaveText(/Horn, recorded when the page was built\.$/);
  });
  await test.step('another system is simulated here', async () => {
    await page.getByTestId('system').selectOption('phase0');
    await page.getByTestId('run').click();
    await expect(status).toHaveText(/Phase 0, simulated here\.$/, { timeout: 250_000 });
    await expect(status).toContainText('of 32,768 votes');
  });
  await test.step('and each point of the map, whose link opens it again', async () => {
    await page.getByTestId('frontier').getByRole('button', { name: 'today (Electra), late, 6 s' }).click();
    const long = /Today \(Electra\), slot length 6 s, simulated here\.$/;
    await expect(status).toHaveText(long, { timeout: 250_000 });
    await expect(page.locator('#command')).toHaveText(
      'npx tutti slots network --preset electra --proposal late --slot-ms 6000',
    );
    const point = 'today (Electra), no late votes, home, i7-8550U, 131,072, 1 s';
    await page.getByTestId('frontier').getByRole('button', { name: point }).click();
    await expect(status).toHaveText(/Today \(Electra\), slot length 1 s, simulated here\.$/, { timeout: 250_000 });
    await expect(page.getByTestId('n')).toHaveValue('131072');
    await expect(page.getByTestId('links')).toHaveValue('home');
    await expect(page.locator('#command')).toHaveText(
      'npx tutti slots network --preset electra --validators 131072 --slot-ms 1000 --links home',
    );
    const outcome = await status.textContent();
    await page.reload();
    await expect(status).toHaveText(outcome!, { timeout: 250_000 });
  });
  expect(errors).toEqual([]);
});

testInCi('one slot under either model, on one clock, and Back leads to the model before', async ({ page }) => {
  const errors = errorsOf(page);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await openPage(page, './horn.html');
  await page.getByTestId('scrub').fill('12600000');
  const loads = (name: string) => asked.some((url) => url.includes(name));
  expect(loads('networkStage')).toBe(false);
  await page.getByText('a network with bandwidth', { exact: true }).click();
  await expect(page.getByTestId('node-map').locator('canvas')).toBeVisible();
  await untilReady(page);
  expect(loads('networkStage')).toBe(true);
  await expect(page.getByTestId('three')).toHaveCount(1);
  await expect(page.getByTestId('three')).toBeHidden();
  await expect(page.locator('#clock')).toHaveText('12.60\u00a0s');
  await expect(page.getByTestId('slot-clock')).toContainText('12.60');
  await expect(page).toHaveURL(/#model=network&system=horn/);
  await expect(page.getByTestId('desync')).toBeHidden();

  await test.step('by itself, and back', async () => {
    await page.getByText('the post’s assumptions', { exact: true }).click();
    await expect(page.getByTestId('three-horn')).toBeVisible();
    await expect(page.locator('#clock')).toHaveText('12.60\u00a0s');
    await expect(page).toHaveURL(/horn\.html$/);
    await page.goBack();
    await expect(page.getByTestId('node-map').locator('canvas')).toBeVisible();
    await expect(page.getByTestId('model-network')).toBeChecked();
    await page.goBack();
    await expect(page.getByTestId('three-horn')).toBeVisible();
    await expect(page.getByTestId('model-post')).toBeChecked();
  });
  await test.step('Eve comes along', async () => {
    await page.getByTestId('n').selectOption('16384');
    await page.getByTestId('attack').selectOption('griefing');
    await page.getByText('a network with bandwidth', { exact: true }).click();
    await expect(page.getByTestId('status')).toHaveText(/honest votes on average\. Horn, simulated here\.$/, {
      timeout: 250_000,
    });
    await expect(page).toHaveURL(/n=16384&.*attack=griefing:0\.2/);
    await expect(page.locator('#command')).toHaveText(
      'npx tutti slots network --preset horn --validators 16384 --eve 0.2',
    );
    await page.getByText('the post’s assumptions', { exact: true }).click();
    await expect(page.getByTestId('field').locator('canvas')).toBeVisible();
    await expect(page.locator('#systems td').first()).toBeVisible();
    await untilReady(page);
    await expect(page).toHaveURL(/#protocol=horn&n=16384&.*attack=griefing:0\.2/);
  });
  expect(errors).toEqual([]);
});
