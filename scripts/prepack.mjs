/**
 * Script that `npm pack` runs in a package before packing. The script compiles the package. In the package of the
 * command, the script also bundles the command, builds the page and the docs that it serves, and copies the fonts of
 * its figures. With TUTTI_BUILT, `npm test` has already compiled, bundled and built the page, and does not need docs.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';

const folder = process.cwd();
const root = join(import.meta.dirname, '..');

function run(command, args) {
  // npm reads the standard output of this script.
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

const isBuilt = Boolean(process.env.TUTTI_BUILT);
if (!isBuilt) run('node', ['scripts/compile.mjs', folder]);
for (const name of readdirSync(join(folder, 'dist'), { recursive: true })) {
  const source = /^(.*)\.(?:js|d\.ts)(?:\.map)?$/.exec(name)?.[1];
  // Compiled files without a source are deleted.
  if (source !== undefined && !existsSync(join(folder, 'src', `${source}.ts`))) rmSync(join(folder, 'dist', name));
}
if (basename(folder) === 'node-cli') {
  const page = join(folder, 'page');
  if (isBuilt) {
    rmSync(page, { recursive: true, force: true });
    cpSync(join(root, 'apps/visualizer/dist'), page, { recursive: true });
  } else {
    run('node', ['scripts/bundle.mjs']);
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    run('node', [vite, 'build', 'apps/visualizer', '--outDir', page, '--emptyOutDir', '--logLevel', 'warn']);
    run('node', ['scripts/docs.mjs', '--check', '--out', join(page, 'docs')]);
  }
  const fonts = join(root, 'node_modules/dejavu-fonts-ttf');
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  for (const file of ['ttf/DejaVuSans.ttf', 'ttf/DejaVuSans-Bold.ttf', 'LICENSE'])
    copyFileSync(join(fonts, file), join(folder, 'fonts', basename(file)));
}
