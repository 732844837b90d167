import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { sampled } from '../sampled.ts';
import { Firefox, firefoxCommand } from './firefox.ts';
import { testInCi } from './page.ts';
import { endAll, serveRoom } from './running.ts';

test.skip(
  firefoxCommand === undefined,
  "No Firefox here: what Chromium does is not tried in one. Debian's firefox-esr, or FIREFOX_PATH.",
);

const app = 'apps/visualizer';
const pages = readdirSync(app).filter((name) => name.endsWith('.html'));
const chapters = [...readFileSync(`${app}/index.html`, 'utf8').matchAll(/<section class="chapter" id="([^"]+)"/g)].map(
  ([, id]) => id!,
);

let firefox: Firefox;
test.beforeAll(async () => {
  if (firefoxCommand !== undefined) firefox = await Firefox.start(firefoxCommand, { width: 1440, height: 900 });
});
test.afterEach(endAll);
test.afterAll(() => firefox?.close());

const stateOf = 'document.documentElement.dataset.state';

async function untilReady(): Promise<void> {
  await expect.poll(() => firefox.evaluate(stateOf)).toBe('ready');
}

test('every page opens in Firefox without an error, as wide as its window', async ({ baseURL }) => {
  for (const name of sampled(pages, 1)) {
    await firefox.goto(`${baseURL}${name}`);
    // A static page remains in its first state.
    await expect.poll(() => firefox.evaluate(stateOf), name).toMatch(/^(ready|undefined|idle)$/);
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    await expect.poll(() => firefox.evaluate(wider), name).toBe('0');
  }
  expect(firefox.errors).toEqual([]);
});

testInCi('every chapter opens in Firefox, and its run plays', async ({ baseURL }) => {
  for (const name of sampled(chapters, 1)) {
    await firefox.goto(`${baseURL}#${name}`);
    await expect.poll(() => firefox.evaluate('document.documentElement.dataset.chapter')).toBe(name);
    await untilReady();
    const isTold = await firefox.evaluate("!document.querySelector('#play').disabled");
    if (isTold === 'false') continue;
    // Moves the clock to the end of the run, where the results are drawn.
    await firefox.evaluate(
      "(() => { const scrub = document.querySelector('#scrub'); scrub.value = scrub.max; scrub.dispatchEvent(new Event('input', { bubbles: true })); })()",
    );
    await expect.poll(() => firefox.text('#clock'), name).not.toMatch(/^0(\.0+)?\s/);
    await expect.poll(() => firefox.text(`#${name} .stage-caption .chapter-text`), name).not.toBe('');
  }
  expect(firefox.errors).toEqual([]);
});

test('a run in Firefox has the digest that it has in Chromium, and its signature is verified', async ({
  page,
  baseURL,
}) => {
  for (const run of ['n=64&scheme=counting&network=constant:50&attack=invalid:0.3', 'n=32']) {
    const link = `${baseURL}run.html?${run.length}#${run}&t=0`;
    await Promise.all([page.goto(link), firefox.goto(link)]);
    await untilReady();
    await expect(page.locator('#digest')).toHaveText(/^[0-9a-f]{16}$/);
    const digest = (await page.locator('#digest').textContent())!;
    await expect.poll(() => firefox.text('#digest')).toBe(digest);
  }
  await expect.poll(() => firefox.text('#signature-verdict')).toMatch(/^Verified by noble-curves/);
  expect(firefox.errors).toEqual([]);
});

testInCi('Firefox and Chromium sign one message in a room, and each verifies it', async ({ page }) => {
  const { link } = await serveRoom();
  await firefox.goto(link);
  await expect.poll(() => firefox.evaluate("document.querySelectorAll('[data-testid=member]').length")).toBe('1');
  await page.goto(link);
  await expect(page.getByTestId('member')).toHaveCount(2);
  await expect.poll(() => firefox.evaluate("document.querySelectorAll('[data-testid=member]').length")).toBe('2');
  // The first member is the leader.
  await firefox.evaluate(
    "(() => { const share = document.querySelector('#share'); share.value = '100'; share.dispatchEvent(new Event('input', { bubbles: true })); document.querySelector('#start').click(); })()",
  );
  const verified = /^Verified by noble-curves on this page/;
  await expect(page.getByTestId('signature-verdict')).toHaveText(verified);
  await expect.poll(() => firefox.text('#signature-verdict')).toMatch(verified);
  await expect(page.locator('#title')).toHaveText('Two signatures became one.');
  expect(firefox.errors).toEqual([]);
});
