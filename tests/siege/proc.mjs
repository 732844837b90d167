import { readdirSync, readFileSync } from 'node:fs';

/** Returns how long a process was ready without a core, ms; 0 if unknown. @param {number | 'self'} pid */
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
