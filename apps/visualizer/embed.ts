import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'rolldown';
import { build, type Plugin } from 'vite';
import { singlePage, withShell } from './src/shell/shell.ts';
import { savedPageTemplate } from './src/state/savedPage.ts';

/**
 * Builds the files that show a run outside Tutti's own pages: the element `<tutti-run>` with its worker, which users
 * copy to their own site, and the pages of `tutti open --single-file`.
 */
export const embed: Plugin = {
  name: 'embed',
  apply: 'build',
  async generateBundle() {
    const folder = import.meta.dirname;
    const { resolve } = this.environment.config;
    // Vite would split the worker into an entry chunk and shared chunks, which a copied worker could not find.
    const { output } = await bundle({
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

const dock =
  '<!-- shell:dock {"scrub": "Virtual time", "step": "the next thing that happens to the node", "speeds": [1, 5, 20, 50, 200, 1000]} -->';

/**
 * Builds the template of a saved run's page: one file with all code and styles, and a placeholder for the recording.
 */
export const savedPage: Plugin = {
  name: 'saved-page',
  apply: 'build',
  async generateBundle() {
    const { script, style } = await bundled('src/savedPage/main.ts', this.environment.config.resolve.conditions);
    const lab = withShell(readFileSync(join(import.meta.dirname, 'run.html'), 'utf8'));
    const page = savedPageTemplate({ lab, dock: withShell(dock), script, style });
    this.emitFile({ type: 'asset', fileName: 'templates/savedRun.html', source: page });
  },
};

/**
 * Bundles a page's script with all its imports, and the page's style. @throws Error if there is more than one script.
 */
export async function bundled(
  entry: string,
  conditions: readonly string[],
): Promise<{ readonly script: string; readonly style: string }> {
  const folder = import.meta.dirname;
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'warn',
    publicDir: false,
    resolve: { conditions: [...conditions] },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      // Fonts are inlined as well.
      assetsInlineLimit: 1 << 20,
      rolldownOptions: { input: join(folder, entry), output: { codeSplitting: false } },
    },
  });
  const files = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  const style = files.flatMap((file) =>
    file.fileName.endsWith('.css') && 'source' in file ? [String(file.source)] : [],
  );
  if (scripts.length !== 1) throw new Error(`${entry}: expected one script, got ${scripts.length}`);
  return { script: scripts[0]!, style: style.join('\n') };
}
