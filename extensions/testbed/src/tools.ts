import { type ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { EnvironmentError } from '@tutti/core/input';

/** Programs that a testbed needs, each with its Debian package. */
const tools: Readonly<Record<string, string>> = {
  ip: 'iproute2',
  nsenter: 'util-linux',
  setpriv: 'util-linux',
  socat: 'socat',
  unshare: 'util-linux',
};

/**
 * Returns an error that names the first missing requirement of a testbed: EnvironmentError `not-linux`, `not-root`,
 * `no-tools` or `no-tun`. Returns undefined if this machine can run a testbed.
 */
export function missingRequirement(): EnvironmentError | undefined {
  if (process.platform !== 'linux')
    return new EnvironmentError('not-linux', `testbed: requires Linux for network namespaces, got ${process.platform}`);
  const user = process.getuid!();
  if (user !== 0)
    return new EnvironmentError(
      'not-root',
      `testbed: requires root for network namespaces, got user ${user}; run it with sudo`,
    );
  const missing = Object.keys(tools).filter((tool) => !isOnPath(tool));
  if (missing.length > 0) {
    const packages = [...new Set(missing.map((tool) => tools[tool]!))].join(' ');
    return new EnvironmentError(
      'no-tools',
      `testbed: requires ${missing.join(', ')}; on Debian: apt-get install ${packages}`,
    );
  }
  if (isAccessible('/dev/net/tun', constants.R_OK | constants.W_OK)) return undefined;
  return new EnvironmentError(
    'no-tun',
    'testbed: requires /dev/net/tun; load the tun module, or pass the device to the container',
  );
}

/** Returns a command line whose process the kernel kills when the parent process ends. */
export function endingWithParent(command: readonly string[]): readonly string[] {
  return ['setpriv', '--pdeathsig', 'KILL', '--', ...command];
}

/**
 * Runs a command until it ends.
 *
 * @param input text for the command's standard input.
 * @throws EnvironmentError `tool-failed` with the first line of the command's standard error.
 */
export async function runTool(command: readonly string[], input = ''): Promise<void> {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'ignore', 'pipe'] });
  const complaint = firstErrorLine(child);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', resolve);
  });
  if (code !== 0) throw toolFailed(command.join(' '), complaint());
}

/** Returns the error for a failed command. @param complaint line that the command printed, or an empty string. */
export function toolFailed(what: string, complaint: string): EnvironmentError {
  return new EnvironmentError(
    'tool-failed',
    `testbed: ${what}: ${complaint === '' ? 'failed without a message' : complaint}; requires root with CAP_NET_ADMIN and CAP_SYS_ADMIN`,
  );
}

/** Reads a process's standard error, and returns a function that returns the first line read so far. */
export function firstErrorLine(child: ChildProcess): () => string {
  let said = '';
  child.stderr!.on('data', (chunk) => {
    if (said.length < 1000) said += chunk;
  });
  return () => said.split('\n', 1)[0]!.trim();
}

/** Returns whether a process has exited or was killed. */
export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => isAccessible(join(folder, program), constants.X_OK));
}

function isAccessible(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
