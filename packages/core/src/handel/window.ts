import { requireObject } from '../errors.ts';
import type { WindowConfig } from './config.ts';

/** A window's limits in ranks of [0, span). */
export interface WindowRanks {
  readonly initial: number;
  readonly max: number;
  readonly expansion: number;
  readonly contraction: number;
}

/**
 * The limits of a window in ranks (v1.03 section 3.6). Ranks lie in [0, span), of which N belong to a peer; so limits
 * given in ranks of [0, N) are stretched likewise, to cover as many peers.
 */
export function windowRanks(config: WindowConfig, nodes: number, span: number): WindowRanks {
  requireObject('config', config);
  const { expansion, contraction } = config;
  const inRanks = (size: number): number => Math.max(1, Math.round((size * span) / nodes));
  if (config.unit === 'ranks') {
    return { initial: inRanks(config.initial), max: inRanks(config.max), expansion, contraction };
  }
  const max = Math.max(1, Math.round(config.max * span));
  const initial = Math.max(Math.round(config.initial * span), inRanks(config.atLeast));
  return { initial: Math.min(max, initial), max, expansion, contraction };
}

/**
 * The size of a level's window after a verification (v1.03 sections 3.3 and 3.6): twice as large on success, to exploit
 * what comes in; a quarter on failure, to return quickly to ranking alone when attacked. Never under 1, never over the
 * maximum.
 */
export function nextWindowSize(size: number, valid: boolean, window: WindowRanks): number {
  requireObject('window', window);
  return valid
    ? Math.min(window.max, Math.floor(size * window.expansion))
    : Math.max(1, Math.floor(size / window.contraction));
}
