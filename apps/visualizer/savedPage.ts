import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { withShell } from './src/shell/shell.ts';
import { savedPageTemplate } from './src/state/savedPage.ts';

const dock =
  '<!-- shell:dock {"scrub": "Virtual time", "step": "the next thing that happens to the node", "speeds": [1, 5, 20, 50, 200, 1000]} -->';

/** Builds the template of a saved run's page: all its code and style in one file, and the place of the recording. */
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

/** Bundles a page's script with all its imports, and its style, for a single file. */
export async function bundled(
  entry: string,
  conditions: readonly string[],
): Promise<{ readonly script: string; readonly style: string }> {
  const folder = import.meta.dirname;
  const made = await build({
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
  const files = [made].flat().flatMap((one) => ('output' in one ? one.output : []));
  const scripts = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  const style = files.flatMap((file) =>
    file.fileName.endsWith('.css') && 'source' in file ? [String(file.source)] : [],
  );
  if (scripts.length !== 1) throw new Error(`${entry}: expected one script, got ${scripts.length}`);
  return { script: scripts[0]!, style: style.join('\n') };
}
