import type { HornSystem } from '@tutti/core/horn';

/** Formats a time of a slot in seconds. */
export function seconds(timeUs: number): string {
  return `${(timeUs / 1e6).toFixed(2)}\u00a0s`;
}

/** Formats bytes in MB (10^6 bytes). */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

export const systemNames: Readonly<Record<HornSystem, string>> = {
  'status-quo': 'status quo',
  strawman: 'strawman',
  horn: 'Horn',
};
