import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Compiles the package before its tests: Node's workers run no TypeScript, and the pool must not be tested on a stale worker. */
export default function buildWorkers(): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', fileURLToPath(new URL('..', import.meta.url))], { stdio: 'inherit' });
}
