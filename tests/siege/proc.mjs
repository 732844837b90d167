import { readdirSync, readFileSync } from 'node:fs';

/**
 * How long a process's main thread stood ready and was given no core, ms, since it began; 0 where the system does not
 * say.
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

/**
 * Files and sockets that a process has open; 0 where the system does not say.
 *
 * @param {number | 'self'} pid
 */
export function descriptors(pid = 'self') {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
