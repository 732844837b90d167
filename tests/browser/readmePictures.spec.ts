import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readmePictures, showPicture, wordsOfPage } from '../../scripts/pictures.mjs';

const words = JSON.parse(readFileSync(new URL('../../docs/images/words.json', import.meta.url), 'utf8'));

for (const picture of readmePictures)
  test(`README's ${picture.name}.png is of the page as it is`, async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await showPicture(page, './', picture);
    // If headings, a menu or buttons changed, take the pictures again with `npm run readme-pictures`.
    await expect.poll(() => wordsOfPage(page)).toEqual(words[picture.name]);
    const png = readFileSync(new URL(`../../docs/images/${picture.name}.png`, import.meta.url));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([picture.width, picture.height]);
  });
