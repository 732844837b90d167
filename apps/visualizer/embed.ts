import { join } from 'node:path';
import { build } from 'rolldown';
import type { Plugin } from 'vite';
import { bundled } from './savedPage.ts';
import { singlePage } from './src/shell/shell.ts';

/**
 * Builds the files that show a run outside the pages: the element `<tutti-run>` with its worker, which users copy to
 * their own site, and the pages of `tutti open --single-file`.
 */
export const embed: Plugin = {
  name: 'embed',
  apply: 'build',
  async generateBundle() {
    const folder = import.meta.dirname;
    const { resolve } = this.environment.config;
    // Vite would split the worker into an entry chunk and shared preloaded chunks. This worker must be one file.
    const { output } = await build({
      input: { 'tutti-run-worker': join(folder, 'src/embed/embedWorker.ts') },
      write: false,
      platform: 'browser',
      resolve: { conditionNames: [...resolve.conditions, 'import', 'default'] },
      transform: { target: 'es2023' },
      output: { minify: true, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
    });
    for (const file of output)
      if (file.type === 'chunk')
        this.emitFile({ type: 'asset', fileName: `embed/${file.fileName}`, source: file.code });
    const element = await bundled('src/embed/tuttiRun.ts', resolve.conditions);
    this.emitFile({ type: 'asset', fileName: 'embed/tutti-run.js', source: element.script });
    for (const name of ['single', 'singleSlot']) {
      const { script, style } = await bundled(`src/embed/${name}.ts`, resolve.conditions);
      this.emitFile({ type: 'asset', fileName: `templates/${name}.html`, source: singlePage(script, style) });
    }
  },
};
