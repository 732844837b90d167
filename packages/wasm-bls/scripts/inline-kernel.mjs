/**
 * Writes each kernel as a module of text, gzipped and in base64, for the door that has it inlined: kernel/inline.
 *
 *     node scripts/inline-kernel.mjs
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { kernelFolder } from './kernel-source.mjs';

/** The modules' names, and what each holds. */
export const INLINED = {
  'scalar.js': 'tutti_bls_bg.wasm',
  'simd.js': 'tutti_bls_simd_bg.wasm',
  'wide.js': 'tutti_bls_wide_bg.wasm',
};

export function inlineKernels() {
  const folder = join(kernelFolder, 'inline');
  mkdirSync(folder, { recursive: true });
  for (const [name, wasm] of Object.entries(INLINED)) {
    const text = gzipSync(readFileSync(join(kernelFolder, wasm)), { level: 9 }).toString('base64');
    writeFileSync(
      join(folder, name),
      `// ${wasm}, gzipped, in base64; written by scripts/inline-kernel.mjs.\nexport const kernel =\n  '${text}';\n`,
    );
    writeFileSync(
      join(folder, name.replace('.js', '.d.ts')),
      `/** ${wasm}, gzipped, in base64. */\nexport declare const kernel: string;\n`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) inlineKernels();
