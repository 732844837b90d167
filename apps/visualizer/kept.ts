import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'vite';
import { withShell } from './src/shell/shell.ts';
import { keptPage } from './src/state/keptPage.ts';

const dock =
  '<!-- shell:dock {"scrub": "Virtual time", "step": "the next thing that happens to the node", "speeds": [1, 5, 20, 50, 200, 1000]} -->';

/** With a build, the page that a run is kept in: all its code and style in one file. */
export const kept: Plugin = {
  name: 'kept',
  apply: 'build',
  async generateBundle() {
    const folder = import.meta.dirname;
    const { resolve } = this.environment.config;
    const made = await build({
      configFile: false,
      root: folder,
      logLevel: 'warn',
      publicDir: false,
      resolve: { conditions: resolve.conditions },
      build: {
        write: false,
        target: 'es2023',
        modulePreload: false,
        rolldownOptions: { input: join(folder, 'src/kept/main.ts'), output: { codeSplitting: false } },
      },
    });
    const files = [made].flat().flatMap((one) => ('output' in one ? one.output : []));
    const script = files.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
    const style = files.flatMap((file) =>
      file.fileName.endsWith('.css') && 'source' in file ? [String(file.source)] : [],
    );
    if (script.length !== 1) throw new Error(`the kept page: expected one script, got ${script.length}`);
    const lab = withShell(readFileSync(join(folder, 'run.html'), 'utf8'));
    const page = keptPage({ lab, dock: withShell(dock), script: script[0]!, style: style.join('\n') });
    this.emitFile({ type: 'asset', fileName: 'kept/page.html', source: page });
  },
};
