import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
export const repositoryFolder = join(packageFolder, '..', '..');
export const crateFolder = join(packageFolder, 'crate');
export const bindgenFolder = join(packageFolder, 'tools', 'wasm-bindgen');
export const kernelFolder = join(packageFolder, 'kernel');
export const manifestFile = join(kernelFolder, 'manifest.json');

/** File of each kernel, by its arithmetic (src/arithmetic.ts). */
export const KERNELS = {
  scalar: 'tutti_bls_bg.wasm',
  simd: 'tutti_bls_simd_bg.wasm',
  wide: 'tutti_bls_wide_bg.wasm',
  upstream: 'tutti_bls_upstream_bg.wasm',
};

/**
 * The glue that all kernels share, and the glue's types. The repository contains these files only in gzipped form
 * (kernel-glue.mjs).
 */
export const GLUE = ['tutti_bls.js', 'tutti_bls.d.ts'];

/** Files that a build writes, in addition to its manifest. */
export const ARTEFACTS = [...Object.values(KERNELS), ...GLUE];

/** Returns all source files that determine the kernel's bytes. The tools' versions also affect the kernel's bytes. */
function sourceFiles() {
  const filesIn = (folder) => readdirSync(join(packageFolder, folder)).map((name) => `${folder}/${name}`);
  return [
    'crate/Cargo.toml',
    'crate/Cargo.lock',
    ...filesIn('crate/field'),
    ...filesIn('crate/src'),
    'tools/wasm-bindgen/Cargo.toml',
    'tools/wasm-bindgen/Cargo.lock',
    ...filesIn('tools/wasm-bindgen/src'),
    'scripts/build-kernel.mjs',
  ].sort();
}

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Returns the SHA-256 of the names and contents of the kernel's sources, in order of name. */
export function sourceDigest() {
  const digest = createHash('sha256');
  for (const file of sourceFiles()) digest.update(`${file}\0${sha256(readFileSync(join(packageFolder, file)))}\n`);
  return digest.digest('hex');
}

/** Returns the manifest of the committed kernel, or undefined if the manifest does not exist. */
export function readManifest() {
  return existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : undefined;
}

/**
 * Returns the reason why the committed kernel does not match its sources, or undefined if it does. This check requires
 * no toolchain.
 */
export function staleness() {
  const manifest = readManifest();
  if (manifest === undefined) return 'there is no kernel/manifest.json';
  if (manifest.sourceSha256 !== sourceDigest()) return 'its sources changed after it was built';
  for (const name of ARTEFACTS) {
    const file = join(kernelFolder, name);
    if (!existsSync(file)) return `kernel/${name} is missing`;
    if (sha256(readFileSync(file)) !== manifest.artefactSha256[name])
      return `kernel/${name} is not what its manifest says`;
  }
  return undefined;
}
