import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { offlineFiles } from './src/shell/shell.ts';

/** Names of files that compression makes smaller. */
const compressible = /\.(?:html|js|css|json|wasm|svg)$/;

/**
 * Writes, after a build, a service worker that stores exactly this build's files, so that the pages work without a
 * network after the first visit and from any folder. The plugin also writes a compressed copy of each file that
 * becomes smaller by compression, for servers that can send compressed files.
 */
export const offline: Plugin = {
  name: 'offline',
  apply: 'build',
  writeBundle({ dir }) {
    const folder = dir!;
    const built = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => name.replaceAll('\\', '/'));
    // A previous build may have left these files in the folder.
    const isOwn = (name: string) => name === 'sw.js' || name.endsWith('.gz');
    const hash = createHash('sha256');
    for (const name of built.toSorted()) if (!isOwn(name)) hash.update(name).update(readFileSync(join(folder, name)));
    const source = readFileSync(join(import.meta.dirname, 'src/offline/sw.js'), 'utf8');
    const worker = source
      .replace(/\[\s*\/\* files \*\/\s*\]/, JSON.stringify(offlineFiles(built)))
      .replace('/* build */', hash.digest('hex').slice(0, 16));
    if (/\/\* (files|build) \*\//.test(worker)) throw new Error('sw.js: expected places for files and build, got none');
    writeFileSync(join(folder, 'sw.js'), worker);
    for (const name of [...built, 'sw.js']) {
      if (!compressible.test(name)) continue;
      writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
    }
  },
};
