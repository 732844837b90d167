import type { HornSystem } from '@tutti/core/horn';

/** A time in a slot. */
export function seconds(timeUs: number): string {
  return `${(timeUs / 1e6).toFixed(2)}\u00a0s`;
}

/** Whole percent, but 0 and 100 only where it is exactly that. */
export function percent(of: number, all: number): string {
  if (all === 0) return '–';
  const whole = of === all ? 100 : Math.min(99, Math.max(of === 0 ? 0 : 1, Math.round((100 * of) / all)));
  return `${whole}\u00a0%`;
}

/** 1 MB is 10^6 bytes. */
export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2);
}

export const systemNames: Readonly<Record<HornSystem, string>> = {
  'status-quo': 'status quo',
  strawman: 'strawman',
  horn: 'Horn',
};
