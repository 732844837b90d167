import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ViteUserConfig } from 'vitest/config';
import { writeGlue } from '../packages/wasm-bls/scripts/kernel-glue.mjs';
import { writeCodeName } from '../scripts/compile.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Whether tests run from the sources, as a caller requires that watches files or changes sources in memory. */
const fromSources = Boolean(process.env.TUTTI_TEST_SOURCES) || !process.argv.some((arg) => /^(--)?run$/.test(arg));

/** Returns a test project's configuration. Code compiled by `tsc` runs up to twice as fast as Vitest's. */
export function project(name: string, ...conditions: readonly string[]): ViteUserConfig {
  const test = {
    name,
    include: ['{src,test,page}/**/*.test.ts', '{,tests/}*.test.ts'],
    // One process runs many test files, which share modules, because no module has state that a test could observe. A
    // separate process for each file would increase the total time by 10 %.
    isolate: false,
    setupFiles: [join(root, 'tests/properties.ts')],
    // The timeout allows for a busy machine. No test waits for a fixed time.
    testTimeout: 240_000,
    hookTimeout: 240_000,
  };
  if (fromSources) {
    writeCodeName();
    writeGlue();
    const resolve = { conditions: ['tutti-source', ...conditions] };
    return { test, resolve, ssr: { resolve } };
  }
  const resolve = { conditions: [...conditions] };
  return {
    resolve,
    ssr: { resolve },
    plugins: [{ name: 'tutti:compiled', enforce: 'pre', resolveId: compiledOf }],
    test: { ...test, globalSetup: [fileURLToPath(import.meta.url)], server: { deps: { external: [compiled] } } },
  };
}

const compiled = /\/(?:(?:packages|extensions)\/[^/]+|apps\/node-cli)\/(?:dist|kernel)\//;

/** Returns the compiled file for a source that is imported by path. */
function compiledOf(name: string, importer: string | undefined): { id: string; external: true } | undefined {
  if (importer === undefined || !/^\.\.?\/.*(?<!\.test)\.ts$/.test(name)) return undefined;
  const source = join(dirname(importer), name);
  const id = source.replace(/\/((?:packages|extensions)\/[^/]+|apps\/node-cli)\/src\/(.*)\.ts$/, '/$1/dist/$2.js');
  return id !== source && existsSync(source) && existsSync(id) ? { id, external: true } : undefined;
}

/** Compiles the sources, once for all test projects. The process ends if compilation fails, because no test can run. */
export default function compile(): void {
  if (process.env.TUTTI_COMPILED) return;
  for (const script of [['scripts/compile.mjs', 'apps/node-cli', 'extensions'], ['scripts/bundle.mjs']]) {
    const { status } = spawnSync(process.execPath, script, { cwd: root, stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
  process.env.TUTTI_COMPILED = '1';
}
