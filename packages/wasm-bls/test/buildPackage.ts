import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Compiles the package before its tests: some run what is packed, in a process of their own that reads no TypeScript. */
export default function buildPackage(): void {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-b', fileURLToPath(new URL('..', import.meta.url))], { stdio: 'inherit' });
}
