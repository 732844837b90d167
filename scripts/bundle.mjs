/**
 * Bundles the command, with all imports from this project's packages except the kernels, as compiled by `tsc -b`, into
 * apps/node-cli/bundle. Loading a few files takes half the time of loading three hundred. The script does nothing if
 * the bundle is up to date; bin/tutti.js does not run a bundle that is not.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { compiledAt, isBundleFresh } from '../apps/node-cli/bin/built.js';
import { codeName, compiledName } from './compile.mjs';
import { root } from './run.mjs';

const cli = `${root}apps/node-cli`;
const dist = `${cli}/dist`;
const target = `${cli}/bundle`;
if (isBundleFresh()) process.exit();
if (compiledName() !== codeName()) {
  console.error(
    "bundle: expected core as it was compiled, got sources that changed since; run 'npm run compile' first",
  );
  process.exit(1);
}
const stamp = compiledAt();
/**
 * The command, the entry points of its package, and the files that its threads and processes run. Compiled files
 * without a source are omitted.
 */
const entries = readdirSync(dist, { recursive: true }).filter(
  (name) =>
    /^(main|command|clusters|drawing|nodes|sweeps|.*Thread|cluster\/(member|hornMember))\.js$/.test(name) &&
    existsSync(`${cli}/src/${name.replace(/\.js$/, '.ts')}`),
);
/**
 * Name of the folder from which a module of the bundle claims to be loaded, as in dist. Files of threads, and other
 * files, are found relative to this folder.
 */
const here = '__bundle__';

/** Output of `tutti help` at the smallest terminal width. */
async function helpText() {
  const { program } = await import('../apps/node-cli/dist/main.js');
  const parts = [];
  const signal = new AbortController().signal;
  const tutti = await program({ out: (text) => parts.push(text), err: () => {}, progress: 'none', signal });
  tutti.configureHelp({ ...tutti.configureHelp(), helpWidth: 80 }).outputHelp();
  return parts.join('');
}

/**
 * Gives a second name to constants that a file of the bundle exports. Node's engine looks up exported names at every
 * use, but compiles in constants that are not exported. The effect is described in docs/guides/simulate.md.
 */
const secondNames = {
  name: 'tutti:second-names',
  renderChunk(code) {
    const { body } = this.parse(code);
    const constants = new Set(
      body.filter(({ kind }) => kind === 'const').flatMap(({ declarations }) => declarations.map(({ id }) => id.name)),
    );
    const all = body.find(({ type, source }) => type === 'ExportNamedDeclaration' && source === null);
    const names = all?.specifiers.map(({ local }) => local.name).filter((name) => constants.has(name)) ?? [];
    if (names.length === 0) return null;
    const made = names.map((name) => `${name}$exported = ${name}`);
    const list = all.specifiers.map(({ local: { name }, exported }) =>
      constants.has(name) ? `${name}$exported as ${exported.name}` : `${name} as ${exported.name}`,
    );
    const exports = `const ${made.join(', ')};\nexport { ${list.join(', ')} };`;
    return { code: code.slice(0, all.start) + exports + code.slice(all.end), map: null };
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name.slice(0, -3), join(dist, name)])),
  platform: 'node',
  // Libraries, and the kernels, which are located next to the modules that load them.
  external: /^(?!@tutti\/(core|simulation|ethereum|lab|transports|certificates)(\/|$))[^./#]/,
  plugins: [
    {
      name: 'tutti:compiled',
      // The library's name in Node, according to the `imports` of @tutti/transports. A bundle in the command's folder
      // cannot use these imports.
      resolveId: (id) => (id === '#simple-peer' ? { id: 'simple-peer', external: true } : null),
      load(id) {
        // A table has no source map.
        if (id.endsWith('.json')) return null;
        const place = relative(dist, id);
        const code = readFileSync(id, 'utf8');
        return {
          code: place.startsWith('..')
            ? code
            : code.replaceAll('import.meta.url', `new URL('${here}/${place}', import.meta.url).href`),
          map: readFileSync(`${id}.map`, 'utf8'),
        };
      },
      renderChunk(code, { fileName }) {
        const away = relative(dirname(fileName), '.') || '.';
        return code.includes(here) ? { code: code.replaceAll(here, away), map: null } : null;
      },
    },
    secondNames,
  ],
});
const made = mkdtempSync(`${target}.`);
try {
  await bundle.write({ dir: made, format: 'esm', sourcemap: true, chunkFileNames: '[name]-[hash].js' });
  const { version } = await import('../packages/core/dist/version.js');
  writeFileSync(join(made, 'version'), `${version}\n`);
  writeFileSync(join(made, 'help'), await helpText());
  writeFileSync(join(made, 'stamp'), stamp);
  rmSync(target, { recursive: true, force: true });
  renameSync(made, target);
} finally {
  rmSync(made, { recursive: true, force: true });
}
