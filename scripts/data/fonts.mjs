/**
 * `npm run data -- fonts`: generates the fonts of the page. Fetches Source Serif, Source Sans and the subsetting tool
 * into a temporary folder, keeps the letters below, and writes the fonts with their licence to
 * apps/visualizer/src/style/fonts. Only a change of the letters requires this command, since its output is committed.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../run.mjs';

/** Letters in the page's fonts: ASCII, the accented letters of names and cities, and the page's symbols. */
export const fontLetters = [
  String.fromCodePoint(...Array.from({ length: 0x7f - 0x20 }, (_, at) => 0x20 + at)),
  'ÁÄÅÇÉÍÎÑÓÖØÚÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ',
  '\u00a0§«»°±²³µ·×÷–—‘’“”•…′−',
].join('');

const packages = ['@fontsource/source-serif-4@5.3.1', '@fontsource/source-sans-3@5.3.1', 'subset-font@2.9.0'];
/** Only the wordmark uses the italic. */
const cuts = [
  ['serif-400', 'source-serif-4/files/source-serif-4-latin-400-normal.woff2', fontLetters],
  ['serif-600', 'source-serif-4/files/source-serif-4-latin-600-normal.woff2', fontLetters],
  ['wordmark', 'source-serif-4/files/source-serif-4-latin-500-italic.woff2', 'Tuti'],
  ['sans-400', 'source-sans-3/files/source-sans-3-latin-400-normal.woff2', fontLetters],
  ['sans-600', 'source-sans-3/files/source-sans-3-latin-600-normal.woff2', fontLetters],
];

if (process.argv[1] === import.meta.filename) {
  const into = join(root, 'apps/visualizer/src/style/fonts');
  const folder = mkdtempSync(join(tmpdir(), 'tutti-fonts-'));
  try {
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--no-save', ...packages], {
      cwd: folder,
      stdio: 'inherit',
    });
    const subset = createRequire(join(folder, 'package.json'))('subset-font');
    let bytes = 0;
    for (const [name, from, letters] of cuts) {
      const whole = readFileSync(join(folder, 'node_modules/@fontsource', from));
      const made = await subset(whole, letters, {
        targetFormat: 'woff2',
        keepFeatures: ['kern', 'liga', 'tnum', 'lnum'],
      });
      bytes += made.length;
      writeFileSync(join(into, `${name}.woff2`), made);
      console.log(`${name}.woff2: ${made.length} bytes`);
    }
    for (const [name, from] of [
      ['serif', 'source-serif-4'],
      ['sans', 'source-sans-3'],
    ])
      copyFileSync(join(folder, 'node_modules/@fontsource', from, 'LICENSE'), join(into, `LICENSE-${name}`));
    console.log(`${bytes} bytes in all`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
