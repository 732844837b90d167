/**
 * `npm run readme-pictures`: takes README.md's pictures of the page as it was last built, and writes down its words; and
 * the page's title card.
 */
import { writeFileSync } from 'node:fs';
import { openBuiltPage } from './builtPage.mjs';
import { readmePictures, showPicture, wordsOfPage } from './readmePictures.mjs';
import { root } from './run.mjs';
import { takeTitleCard, titleCard } from './titleCard.mjs';

const { server, browser, address } = await openBuiltPage();
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
await takeTitleCard(browser, address, `${root}${titleCard}`);
writeFileSync(`${root}docs/images/words.json`, `${JSON.stringify(words, undefined, 2)}\n`);
await browser.close();
await server.close();
process.exit(0);
