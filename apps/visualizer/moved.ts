import type { Plugin } from 'vite';
import { movedPage, movedPages } from './src/shell/movedPages.ts';

/** With a build, a redirect at the address of each page that has moved. */
export const moved: Plugin = {
  name: 'moved',
  apply: 'build',
  generateBundle() {
    for (const [fileName, address] of Object.entries(movedPages))
      this.emitFile({ type: 'asset', fileName, source: movedPage(address) });
  },
};
