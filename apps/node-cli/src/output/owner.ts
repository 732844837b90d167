import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Returns whether a process of this machine exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user may not be signalled, but exists.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Process that a temporary file belongs to. */
export interface Owner {
  readonly pid: number;
  /** Name of its machine and its namespace of process ids, without which an id means nothing. */
  readonly host: string;
}

/** This process. */
export const self: Owner = { pid: process.pid, host: `${namespaceOfIds()}${hostname()}` };

/**
 * Returns the namespace of process ids; nothing on systems without them. Containers may share a host name and a volume,
 * but not their process ids.
 */
function namespaceOfIds(): string {
  try {
    return `${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}-`;
  } catch {
    return '';
  }
}

/** Encodes a host's name as a part of a file's name. */
export function hostInName(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 63) || '-';
}

/**
 * Returns whether a process of this machine and namespace, but not this one, has ended. It cannot tell for other
 * machines and containers.
 */
export function hasEnded({ pid, host }: Owner): boolean {
  return pid !== self.pid && hostInName(host) === hostInName(self.host) && !isRunning(pid);
}

/** Returns whether it has the id of this process: in a container, every run may have the same one. */
export function hasOwnId({ pid, host }: Owner): boolean {
  return pid === self.pid && hostInName(host) === hostInName(self.host);
}
