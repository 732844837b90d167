/** `npm run compile`: names the code, then compiles it: all, or the projects that it is given. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { writeCodeName } from './code-name.mjs';
import { root } from './run.mjs';

writeCodeName();
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
// npm reads what `npm pack` prints on standard output as its own.
const { status } = spawnSync(process.execPath, [compiler, '-b', ...process.argv.slice(2)], {
  cwd: root,
  stdio: ['ignore', 2, 2],
});
process.exit(status ?? 1);
