import { execFileSync } from 'node:child_process';
import { it } from 'vitest';

it('docs/internals/architecture.md has the rooms and arrows that there are, and no folders or files import each other in a circle', () => {
  execFileSync(process.execPath, ['scripts/architecture.mjs', '--check'], { cwd: new URL('../', import.meta.url) });
});
