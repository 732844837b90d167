import type { WindowConfig } from './config.ts';

/**
 * The size of a level's window after a verification (v1.03 sections 3.3 and 3.6): twice as large on success, to exploit what comes in; a
 * quarter on failure, to return quickly to ranking alone when attacked. Never under 1, never over the maximum.
 */
export function nextWindowSize(size: number, valid: boolean, config: WindowConfig): number {
  return valid
    ? Math.min(config.max, Math.floor(size * config.expansion))
    : Math.max(1, Math.floor(size / config.contraction));
}
