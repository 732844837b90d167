/**
 * `npm run bench -- browsers`: measures the kernels in the browsers of this machine as a reader does, by Measure in the
 * built bench.html: Chromium, and Firefox where there is one, each also with wide arithmetic. Prints each one's figures,
 * and writes them to apps/visualizer/src/kernel/ours.json, which the page shows beside the reader's own.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { startFirefox, wideFirefox, wideFlag } from '../../packages/wasm-bls/bench/pages.mjs';
import { openBuiltPage } from '../builtPage.mjs';
import { root } from '../run.mjs';

async function inChromium(args) {
  const { browser, address, close } = await openBuiltPage(args);
  try {
    const page = await browser.newPage();
    await page.goto(`${address}bench.html`);
    await page.click('#measure');
    await page.waitForURL(/#engine=/, { timeout: 600_000 });
    return await page.evaluate('location.hash');
  } finally {
    await close();
  }
}

async function inFirefox(preferences) {
  const started = await startFirefox(preferences);
  if (started === undefined) return undefined;
  const { firefox } = started;
  const { address, close } = await openBuiltPage();
  try {
    await firefox.goto(`${address}bench.html`);
    await firefox.evaluate("document.querySelector('#measure').click()");
    for (;;) {
      const link = await firefox.evaluate('location.hash');
      if (link !== '') return link;
      if ((await firefox.text('html[data-state=error] #status')) !== '') throw new Error('Firefox measured nothing');
      await setTimeout(500);
    }
  } finally {
    firefox.close();
    await close();
  }
}

const measured = [await inChromium([]), await inChromium([`--js-flags=${wideFlag}`])];
measured.push(await inFirefox({}), await inFirefox(wideFirefox));
const links = measured.filter((link) => link !== undefined);
if (links.length < measured.length) console.log('no Firefox here: its figures are left out');
for (const link of links) console.log(decodeURIComponent(link));
const machine = `${cpus()[0]?.model.replace(/\s+\d+-Core Processor$/, '') ?? 'unknown CPU'}, ${cpus().length} cores`;
const date = new Date().toISOString().slice(0, 10);
writeFileSync(
  `${root}apps/visualizer/src/kernel/ours.json`,
  `${JSON.stringify({ machine, date, links }, undefined, 2)}\n`,
);
