import { expect, type Page, test } from '@playwright/test';
import { isWhole } from '../sampled.ts';
import { openPage, type ProcessorTime, processorTime, untilReady as untilPageReady } from './page.ts';

/** Sizes above the limit for stored messages, of a few seconds on one core; TUTTI_BROWSER_NODES sets another. */
const nodes = Number(process.env.TUTTI_BROWSER_NODES ?? (isWhole ? 16_384 : 8192));
const grouped = new Intl.NumberFormat('en').format(nodes);
test.setTimeout(600_000);

declare global {
  interface Window {
    /** State that the page shows for the preceding run during the next run. */
    seen: Promise<{ state: string | undefined; clock: string | null; tree: string | null }>;
  }
}

const untilReady = (page: Page) => untilPageReady(page, 500_000);

/** Adds the cost of a run to the report. A run on the page's own thread would take all of that thread's time. */
function judge(what: string, { processS, pageS }: ProcessorTime): void {
  test.info().annotations.push({
    type: 'measured',
    description: `${what}: ${processS.toFixed(1)} s of a core, ${pageS.toFixed(1)} s of them in the page's thread`,
  });
  expect(pageS).toBeLessThan(processS / 2);
}

test(`while ${grouped} nodes run, the page answers`, async ({ page }) => {
  await openPage(page, './run.html#n=32&scheme=counting&t=0');
  await page.getByTestId('word-nodes').click();
  await page.getByTestId('n').fill(String(nodes));

  // The measurement is inside the page, because the run may end before an answer from the page arrives here.
  await page.evaluate((ofAll) => {
    const look = async () => {
      const enter = (selector: string, value: string, event: string) => {
        const input = document.querySelector<HTMLInputElement>(selector)!;
        input.value = value;
        input.dispatchEvent(new Event(event, { bubbles: true }));
      };
      enter('#scrub', '100000', 'input');
      enter('#node', '7', 'change');
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return {
        state: document.documentElement.dataset.state,
        clock: document.querySelector('#clock')!.textContent,
        tree: document.querySelector('#tree svg')!.getAttribute('aria-label'),
      };
    };
    const status = document.querySelector('#status')!;
    window.seen = new Promise((resolve) => {
      const watch = new MutationObserver(() => {
        if (!status.textContent!.includes(ofAll)) return;
        watch.disconnect();
        resolve(look());
      });
      watch.observe(status, { childList: true });
    });
  }, `of ${grouped} nodes have finished after`);
  const spent = await processorTime(page);
  await page.getByTestId('run').click();
  await test.step('the run before can still be looked at', async () => {
    expect(await page.evaluate(() => window.seen)).toEqual({
      state: 'running',
      clock: '100.0\u00a0ms',
      tree: expect.stringMatching(/^Tree of node 7 at 100\.0/),
    });
  });
  await untilReady(page);
  await expect(page.getByTestId('status')).toContainText(`All ${grouped} nodes finished`);
  judge(`${grouped} nodes`, await spent());

  await test.step('it can be scrubbed through, in blocks and bars', async () => {
    const tree = page.getByTestId('tree');
    const scrub = page.getByTestId('scrub');
    await scrub.fill((await scrub.getAttribute('max'))!);
    await expect(tree.getByRole('img')).toHaveAccessibleName(new RegExp(`: [\\d,]{5,} of ${grouped} contributions in`));
    await expect.poll(() => tree.locator('rect').count()).toBeLessThan(1200);
    await expect(page.locator('#flight-title')).toHaveText('Level by level');
    await expect(page.locator('#flight-note')).toContainText('counted but not stored');
    const levels = page.getByTestId('flight').getByRole('img');
    await expect(levels).toHaveAccessibleName(/Level 1: 100\s%/);
    await scrub.fill('0');
    await expect(levels).toHaveAccessibleName(/Level 1: 0\s%/);

    const strip = (await page.getByTestId('progress').boundingBox())!;
    await page.getByTestId('progress').hover({ position: { x: strip.width / 2, y: 60 } });
    await expect(page.locator('.tip')).toHaveText(
      /^nodes [\d,]+ to [\d,]+: [\d,.]+ signatures? per node on average at/,
    );
  });
});
