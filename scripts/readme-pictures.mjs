/**
 * `npm run readme-pictures`: takes README.md's pictures of the page as it was last built, and writes down its words, by
 * which a picture is known to be of the page as it is; and the page's title card.
 */
import { writeFileSync } from 'node:fs';
import { openBuiltPage } from './builtPage.mjs';
import { root } from './run.mjs';

/** Where each picture is taken. */
export const readmePictures = [
  { name: 'race', address: '#race&t=333', width: 1440, height: 720 },
  {
    name: 'visualizer',
    address: 'run.html#n=64&scheme=counting&attack=invalid:0.2&node=1&t=180',
    width: 1440,
    height: 1600,
  },
  // The slot that is recorded when the page is made, held at 12 s.
  { name: 'horn', address: 'horn.html#t=12000', width: 1440, height: 900 },
];

/** Goes there, and waits until the page stands still. */
export async function showPicture(page, base, { address, width, height }) {
  await page.setViewportSize({ width, height });
  await page.goto(`${base}${address}`);
  await page.waitForFunction(
    () => document.documentElement.dataset.state === 'ready' && !document.querySelector('[aria-busy="true"]'),
    undefined,
    { timeout: 120_000 },
  );
  await page.evaluate(() => document.fonts.ready);
}

/** The page's title, its menu and the headings and buttons that it shows, without numbers: those are the runs'. */
export function wordsOfPage(page) {
  return page.evaluate(() => {
    const seen = [...document.querySelectorAll('header a, header nav *, h1, h2, h3, button')].filter((element) =>
      element.checkVisibility(),
    );
    const words = seen.map((element) =>
      element.innerText
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/\d[\d,.]*/g, '#')
        .trim(),
    );
    return [document.title, ...new Set(words.filter((text) => text !== ''))];
  });
}

/** Where the page's title card is, which a link to it brings along in chats and the like (`og:image`). */
const titleCard = 'apps/visualizer/public/card.png';

/** The race at the moment when Handel is done, and nothing else of the page, in the size that others show cards in. */
const at = { address: '#race&t=400', width: 1200, height: 630 };
const style = `
:is(.masthead nav, .masthead-tools, .chapter-links, .dock, .prose, .race-question, .stage-foot, .telling, .colophon),
.race-grid .checks, main > .chapter:not(#race) { display: none !important; }
.masthead { display: block !important; margin-top: 62px; border: 0 !important; }
.wordmark { font-size: 60px !important; }
.masthead h1 { margin: 18px 0 24px !important; color: var(--ink) !important; font-size: 41px !important; line-height: 1.2; }
main > .chapter { display: block !important; border: 0 !important; }
#race .stage { position: static; height: auto !important; padding: 0 !important; }
.race-grid { --side: 206px !important; grid-template-columns: repeat(5, 206px) !important; gap: 18px !important; }
.race-grid .lane figcaption { display: block !important; }
.race-grid h3 { font-size: 23px !important; }
.race-grid .lane .count { display: block; font-size: 20px !important; text-align: left !important; }
`;

/** Takes the card of the page that a browser looks at. */
async function takeTitleCard(browser, base) {
  const { address, width, height } = at;
  const context = await browser.newContext({
    viewport: { width, height },
    serviceWorkers: 'block',
    reducedMotion: 'reduce',
    // The style is this script's, which the page would not have.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.goto(`${base}${address}`);
  await page.waitForFunction(() => document.documentElement.dataset.state === 'ready');
  await page.addStyleTag({ content: style });
  await page.evaluate(async () => {
    await document.fonts.ready;
    scrollTo(0, 0);
  });
  // The fields take their new size in the frames that follow.
  await page.waitForTimeout(500);
  await page.screenshot({ path: `${root}${titleCard}` });
  await context.close();
}

if (process.argv[1] === import.meta.filename) {
  const { browser, address, close } = await openBuiltPage();
  const words = {};
  for (const picture of readmePictures) {
    const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await showPicture(page, address, picture);
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${root}docs/images/${picture.name}.png` });
    words[picture.name] = await wordsOfPage(page);
    await context.close();
  }
  await takeTitleCard(browser, address);
  writeFileSync(`${root}docs/images/words.json`, `${JSON.stringify(words, undefined, 2)}\n`);
  await close();
}
