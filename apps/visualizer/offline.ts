import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { offlineFiles } from './src/shell/shell.ts';

/** Names of files of kinds that compress well. */
const compressible = /\.(?:html|js|css|json|wasm|svg)$/;
/** Places in the source of the service worker for the list of files and for the build's digest. */
const [filesPlace, buildPlace] = [/\[\s*\/\* files \*\/\s*\]/, '/* build */'];

/**
 * Writes, after a build, a service worker that stores the files of this build that the pages load, so that they work
 * without a network after the first visit and from any folder. The plugin also writes a compressed copy of each file of
 * a compressible kind, for servers that can send compressed files.
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
    if (!filesPlace.test(source) || !source.includes(buildPlace))
      throw new Error(`src/offline/sw.js: expected the places [/* files */] and ${buildPlace}, got another form`);
    const worker = source
      .replace(filesPlace, JSON.stringify(offlineFiles(built)))
      .replace(buildPlace, hash.digest('hex').slice(0, 16));
    writeFileSync(join(folder, 'sw.js'), worker);
    for (const name of [...built, 'sw.js']) {
      if (!compressible.test(name)) continue;
      writeFileSync(join(folder, `${name}.gz`), gzipSync(readFileSync(join(folder, name)), { level: 9 }));
    }
  },
};
