import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { cardPage, chapterCards, chapterPage } from './src/shell/chapterPages.ts';
import { movedPage, movedPages } from './src/shell/movedPages.ts';

/** Builds a redirect at the address of each page that has moved, and a page with a card for each chapter. */
export const moved: Plugin = {
  name: 'moved',
  apply: 'build',
  generateBundle() {
    for (const [fileName, address] of Object.entries(movedPages))
      this.emitFile({ type: 'asset', fileName, source: movedPage(address) });
    for (const card of chapterCards(readFileSync(`${import.meta.dirname}/index.html`, 'utf8'))) {
      const source = cardPage(card, process.env.TUTTI_PAGE_ADDRESS);
      this.emitFile({ type: 'asset', fileName: chapterPage(card.id), source });
    }
  },
};
