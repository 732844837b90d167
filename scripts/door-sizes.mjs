/**
 * `npm run sizes`: what each door of @tutti/core and @tutti/simulation weighs in a page, bytes minified and gzipped, all
 * of it and common uses alone; writes scripts/sizes.json, the budgets, each a twentieth over what it measured. The
 * suite holds the doors to them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { root } from './run.mjs';

export const budgetsFile = `${root}scripts/sizes.json`;

/** The common uses of which a page loads nothing else. */
const alone = {
  HandelNode: "export { HandelNode } from '@tutti/core'",
  simulate: "export { simulate } from '@tutti/simulation'",
  // Beside its kernel, which is handed in.
  verifyCertificate: "export { verifyCertificate } from '@tutti/transports/certificates'",
};

/** @returns {Promise<Record<string, number>>} bytes by door, such as `@tutti/simulation/slots`, and by use, as compiled. */
export async function doorSizes() {
  const doors = ['core', 'simulation'].flatMap((name) => {
    const manifest = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'));
    const paths = Object.keys(manifest.exports).filter(
      (path) => path !== './package.json' && !path.startsWith('./internal'),
    );
    return paths.map((path) => path.replace('.', manifest.name));
  });
  const entries = { ...Object.fromEntries(doors.map((door) => [door, undefined])), ...alone };
  const sizes = {};
  for (const [name, code = `export * from '${name}'`] of Object.entries(entries)) sizes[name] = await sizeOf(code);
  return sizes;
}

async function sizeOf(code) {
  const entry = '\0entry';
  const { output } = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
    ],
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict' },
    },
  });
  return loadedAtOnce(output).reduce((sum, { code }) => sum + gzipSync(code).length, 0);
}

/** The chunks of a bundle without those that are only loaded when asked for. */
function loadedAtOnce(output) {
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set([output[0]]);
  for (const { imports } of found) for (const name of imports) found.add(chunks.get(name));
  return [...found];
}

if (import.meta.filename === process.argv[1]) {
  const sizes = await doorSizes();
  for (const [name, bytes] of Object.entries(sizes)) console.log(`${name}: ${(bytes / 1000).toFixed(1)} kB`);
  const budgets = Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, Math.ceil(bytes * 1.05)]));
  writeFileSync(budgetsFile, `${JSON.stringify(budgets, undefined, 2)}\n`);
}
