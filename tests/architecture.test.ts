import { execFileSync } from 'node:child_process';
import { it } from 'vitest';

it('docs/internals/architecture.md lists the existing folders and imports, and no folders or files import each other in a cycle', () => {
  execFileSync(process.execPath, ['scripts/architecture.mjs', '--check'], { cwd: new URL('../', import.meta.url) });
});
