import { readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the total time since its start in which a process's main thread was ready but had no core, ms, or 0 if the
 * system does not report it.
 *
 * @param {number | 'self'} pid
 */
export function heldUpMs(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Returns a process's open files and sockets, or 0 if unknown. @param {number | 'self'} pid */
export function descriptors(pid = 'self') {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
