/**
 * Before compilation, writes the files derived from the committed kernel. The repository contains the glue of
 * wasm-bindgen in gzipped form. Each kernel also becomes a text module, gzipped and in base64, for the option `source:
 * 'inline'` of loadBls.
 *
 *     node scripts/kernel-glue.mjs            writes missing and outdated files
 *     node scripts/kernel-glue.mjs --pack     first gzips the glue of the last build
 */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { GLUE, KERNELS, kernelFolder, readManifest, sha256 } from './kernel-source.mjs';

/** Gzips the glue of the last build. */
export function packGlue() {
  for (const name of GLUE) {
    const file = join(kernelFolder, name);
    writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  }
}

/** Writes the glue files that are missing or differ from the manifest. */
function unpackGlue() {
  const { artefactSha256 } = readManifest();
  for (const name of GLUE) {
    const file = join(kernelFolder, name);
    if (existsSync(file) && sha256(readFileSync(file)) === artefactSha256[name]) continue;
    writeFileSync(file, gunzipSync(readFileSync(`${file}.gz`)));
  }
}

/** Writes the kernels as text modules, unless the modules are newer than the kernels. */
function inlineKernels() {
  const inline = join(kernelFolder, 'inline');
  mkdirSync(inline, { recursive: true });
  for (const [name, wasm] of Object.entries(KERNELS)) {
    const [from, to] = [join(kernelFolder, wasm), join(inline, `${name}.js`)];
    if (existsSync(to) && statSync(to).mtimeMs > statSync(from).mtimeMs) continue;
    const text = gzipSync(readFileSync(from), { level: 9 }).toString('base64');
    writeFileSync(
      join(inline, `${name}.d.ts`),
      `/** ${wasm}, gzipped, in base64. */\nexport declare const kernel: string;\n`,
    );
    writeFileSync(to, `// ${wasm}, gzipped, in base64.\nexport const kernel =\n  '${text}';\n`);
  }
}

/** Writes all files derived from the committed kernel. */
export function writeGlue() {
  unpackGlue();
  inlineKernels();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--pack')) packGlue();
  writeGlue();
}
