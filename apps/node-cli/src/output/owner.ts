import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Whether a process of this machine exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of somebody else's may not be asked.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The process that a half-written file belongs to. */
export interface Owner {
  readonly pid: number;
  /** Names its machine and its namespace of process ids, whose process ids say nothing elsewhere. */
  readonly host: string;
}

/** This process. */
export const self: Owner = { pid: process.pid, host: `${namespaceOfIds()}${hostname()}` };

/** Containers may share a host name and a volume, but not their process ids. Returns nothing where there are none. */
function namespaceOfIds(): string {
  try {
    return `${/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]}-`;
  } catch {
    return '';
  }
}

/** A host's name as a part of a file's name. */
export function hostInName(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 63) || '-';
}

/**
 * Whether a process is another one than this, of this machine and namespace, and has ended. For other machines and
 * containers this process cannot tell.
 */
export function hasEnded({ pid, host }: Owner): boolean {
  return pid !== self.pid && hostInName(host) === hostInName(self.host) && !isRunning(pid);
}

/** Whether it has the id of this process: in a container, every run may have the same one. */
export function hasOwnId({ pid, host }: Owner): boolean {
  return pid === self.pid && hostInName(host) === hostInName(self.host);
}
