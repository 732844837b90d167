import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Runs a command in the repository's root with the standard streams of this process.
 *
 * @returns the command's exit code; 1 if the command could not be started or was killed.
 */
export function run(command, args, { env = {} } = {}) {
  return ended(command, spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }));
}

/**
 * Runs a command like {@link run}, concurrently with others. The output of the command is printed as a whole when the
 * command ends.
 */
export async function runQuietly(command, args, { env = {} } = {}) {
  const printed = [];
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
  const code = await ended(command, child);
  process.stdout.write(Buffer.concat(printed));
  return code;
}

/** Returns the exit code of a process when its output is complete; 1 if it could not be started or was killed. */
function ended(command, child) {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(`${command}: expected to start, got ${error.code ?? error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Runs a command like {@link run}. If the command's exit code is not 0, this process ends with that code. */
export async function must(what, command, args, options) {
  const began = process.hrtime.bigint();
  console.log(`• ${what}`);
  const code = await run(command, args, options);
  if (code !== 0) {
    console.error(`${what}: expected exit code 0, got ${code}`);
    process.exit(code);
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  console.log(`  ${what}: ${seconds.toFixed(1)} s`);
}

/** The repository's root, with a trailing slash. */
export const root = fileURLToPath(new URL('..', import.meta.url));
