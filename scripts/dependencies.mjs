import { existsSync, statSync } from 'node:fs';
import { must, root } from './run.mjs';

/**
 * Installs the npm packages of the lock file where they are not, so that a fresh clone needs no command of its own for
 * it.
 */
export async function installDependencies() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`Node.js: expected 20.19 or newer, got ${process.versions.node}; install a newer one`);
    process.exit(1);
  }
  const installed = `${root}node_modules/.package-lock.json`;
  const lock = `${root}package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  await must('Installing npm packages', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
