import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Returns whether a process of this machine exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user exists, although it must not be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Process that a temporary file belongs to. */
interface Owner {
  readonly pid: number;
  /** Name of the process's machine and its namespace of process ids. A process id is meaningless without them. */
  readonly host: string;
}

export const self: Owner = { pid: process.pid, host: `${namespaceOfIds()}${hostname()}` };

/**
 * Returns the namespace of process ids; empty on systems without namespaces. Containers may share a host name and a
 * volume, but not their process ids.
 */
function namespaceOfIds(): string {
  try {
    return `${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}-`;
  } catch {
    return '';
  }
}

/** Encodes a host name for use in a file name. */
export function hostInName(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 63) || '-';
}

/**
 * Returns whether another process of this machine and namespace has ended; false for other machines and containers,
 * where this is unknown.
 */
export function hasEnded({ pid, host }: Owner): boolean {
  return pid !== self.pid && hostInName(host) === hostInName(self.host) && !isRunning(pid);
}

/** Returns whether an owner has the id of this process. In a container, every run may have the same id. */
export function hasOwnId({ pid, host }: Owner): boolean {
  return pid === self.pid && hostInName(host) === hostInName(self.host);
}
