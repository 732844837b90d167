import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { openFromDisk } from './page.ts';

const slot = 'lean.html#strategies=greedy,halving-owners,greedy,greedy&job=greedy:19';

/** The page in the example of the docs. */
const [, example] = /```html\n(<script type="module" src="\.\/embed[\s\S]*?)```/.exec(
  readFileSync('docs/guides/embed-a-run.md', 'utf8'),
)!;

test('the three runs of the docs’ example play in a page of another site, each with its own link', async ({
  page,
  request,
}) => {
  for (const file of ['tutti-run.js', 'tutti-run-worker.js'])
    expect(gzipSync(await (await request.get(`./embed/${file}`)).body()).length, file).toBeLessThan(62_000);
  await page.route('**/example.html', (route) => route.fulfill({ contentType: 'text/html', body: example! }));
  await page.addInitScript(() => {
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        performance.mark('worker');
      }
    };
  });
  await page.goto('./example.html');
  const runs = page.locator('tutti-run');
  await expect(runs).toHaveCount(3);
  for (const run of await runs.all()) await expect(run).toHaveAttribute('data-state', 'ready');
  const workers = await page.evaluate(() => performance.getEntriesByName('worker').length);
  expect(workers, 'each element simulates its run once').toBe(3);
  await expect(runs.nth(0).locator('figcaption')).toHaveText('Sixteen nodes: four levels.');
  await expect(runs.nth(1).locator('figcaption')).toHaveText(/64 nodes \(aws, seed 1\), 12 dead: all 52 honest nodes/);
  await expect(runs.nth(2).locator('figcaption')).toHaveText(/19 Byzantine \(invalid\)/);
  const scrub = runs.nth(1).getByLabel('Virtual time');
  await scrub.fill((await scrub.getAttribute('max'))!);
  const clock = runs.nth(1).locator('output');
  // The run may have been at its first frames when the page was read.
  await expect(clock).toHaveText(/^[1-9]\d\d\.\d\sms$/);
  const end = (await clock.textContent())!;
  // A run whose clock was moved must not start to play when it scrolls into view.
  await runs.nth(1).scrollIntoViewIfNeeded();
  await page.evaluate(async () => {
    for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
  });
  await expect(runs.nth(1).getByRole('button')).toHaveAccessibleName('Play');
  await expect(clock).toHaveText(end);
  await runs.nth(1).evaluate((run) => run.setAttribute('link', 'n=8&seed=x'));
  await expect(runs.nth(1).locator('.notice')).toHaveText(/^seed: /);

  await test.step('a slot of proofs plays too, and a click on a bar explains why it was wasted', async () => {
    const run = runs.first();
    await run.evaluate((element, link) => {
      element.removeAttribute('caption');
      element.setAttribute('link', link);
    }, slot);
    await expect(run.locator('.strategy')).toHaveCount(2);
    await expect(run).toHaveAttribute('data-state', 'ready');
    await expect(run.locator('figcaption.caption')).toHaveText(
      /^With 8 subnets and 16 cores, the 64 possible proposers have the following mean shares of the votes .* Halving levels with owners is better/,
    );
    await expect(run.locator('output')).toHaveText('4.00\u00a0s');
    await expect(run.locator('.why')).toContainText('had already finished a proof with all of these votes');
    await run.locator('.job.superseded rect').first().click();
    await expect(run.locator('.why')).toContainText('Greedy pairs, prover');
    await expect(run.locator('.job rect.asked')).toHaveCount(1);
    await run.evaluate((element, link) => element.setAttribute('link', link), `${slot}&t=500`);
    await expect(run.locator('output')).toHaveText('0.50\u00a0s');
    await expect(run.locator('.why')).toContainText('had already finished a proof with all of these votes');
  });
});

test('a link becomes one file, which plays from the disk', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-single-'));
  const path = join(folder, 'run.html');
  const args = ['open', '--link', 'http://x/#n=32&seed=4', '--single-file', path, '--caption', 'Figure 1'];
  execFileSync(process.execPath, ['apps/node-cli/bin/tutti.js', ...args]);
  const { page, errors } = await openFromDisk(browser, path);
  await expect(page).toHaveTitle('Figure 1');
  await expect(page.getByRole('img')).toHaveAccessibleName(/ messages in flight between 32 nodes/);
  expect(errors).toEqual([]);
  await page.context().close();
  rmSync(folder, { recursive: true });
});
