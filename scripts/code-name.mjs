/**
 * Names the code of runs: 8 hexadecimal digits over the sources of core, which are all that a digest depends on. The
 * experiments only say which runs there are, and are left out. `npm run compile` writes the name into core before it
 * compiles, so that sources, compiled code, the bundle, the page and the packages have the same one.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

const sources = join(root, 'packages/core/src');
const written = 'codeName.ts';

/** The sources that have a say in the name, by their paths in core's `src`, with `/` on every system. */
export function namedSources(folder = sources) {
  return readdirSync(folder, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|^experiments\b/.test(path) && path !== written)
    .sort();
}

/** The name of the code as it lies there now. */
export function codeName(folder = sources) {
  const hash = createHash('sha256');
  for (const path of namedSources(folder)) {
    // A checkout on Windows ends its lines otherwise.
    const text = readFileSync(join(folder, path), 'utf8').replaceAll('\r\n', '\n');
    hash.update(`${path}\0${text}\0`);
  }
  return hash.digest('hex').slice(0, 8);
}

/** Writes the name into core's sources, unless it stands there. */
export function writeCodeName() {
  const file = join(sources, written);
  const text = `/** Written by scripts/code-name.mjs; not kept in the repository. */\nexport const codeName: string = '${codeName()}';\n`;
  if (readOr(file, '') !== text) writeFileSync(file, text);
}

/** The name that compiled core has, which says of what it was compiled; undefined where nothing is compiled. */
export function compiledName() {
  return /'([0-9a-f]{8})'/.exec(readOr(join(root, 'packages/core/dist/codeName.js'), ''))?.[1];
}

function readOr(path, otherwise) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

if (process.argv[1] === import.meta.filename) writeCodeName();
