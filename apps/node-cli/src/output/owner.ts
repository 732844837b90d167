import { hostname } from 'node:os';
import { isRunning } from './isRunning.ts';

/** The process that a lock or a half-written file belongs to. */
export interface Owner {
  readonly pid: number;
  /** Of its machine or container, whose process ids say nothing elsewhere. */
  readonly host: string;
}

/** This process. */
export const self: Owner = { pid: process.pid, host: hostname() };

/** A host's name as a part of a file's name. */
export function hostInName(host: string): string {
  return host.replaceAll(/[^A-Za-z0-9-]/g, '-').slice(0, 63) || '-';
}

/**
 * Whether a process is another one than this, of this machine, and has ended. Of another machine's nobody here can
 * tell.
 */
export function hasEnded({ pid, host }: Owner): boolean {
  return pid !== self.pid && hostInName(host) === hostInName(self.host) && !isRunning(pid);
}

/** Whether it has the id of this process: in a container, every run may have the same one. */
export function hasOwnId({ pid, host }: Owner): boolean {
  return pid === self.pid && hostInName(host) === hostInName(self.host);
}
