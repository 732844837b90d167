import { requireInteger, requireNumber } from '../errors.ts';

/** The parameters of Handel (v1.03 section 3.6). Milliseconds may be fractions; they are kept to the microsecond. */
export interface HandelConfig {
  /** Contributions that an output must contain, 1 to N. */
  readonly threshold: number;
  /** DP: how often a node contacts one peer on each active level. Default 20. */
  readonly disseminationPeriodMs: number;
  /** Level l starts (l-1) times this after the node's start. Default 50. */
  readonly levelStartMs: number;
  /** Peers contacted at once when Out_l becomes complete; 0 for none. Default 10. */
  readonly fastPathPeers: number;
  readonly window: WindowConfig;
}

/** How the window of scored senders grows and shrinks (v1.03 sections 3.3 and 3.6). */
export interface WindowConfig {
  readonly initial: number;
  /** Caps the time to return to 1 when attacked. */
  readonly max: number;
  /** Factor on a verification's success. */
  readonly expansion: number;
  /** Divisor on a failure. */
  readonly contraction: number;
}

/** The paper's values; its text names no initial window, 16 is the reading that this project builds on. */
export const defaultHandelConfig: Omit<HandelConfig, 'threshold'> = {
  disseminationPeriodMs: 20,
  levelStartMs: 50,
  fastPathPeers: 10,
  window: { initial: 16, max: 128, expansion: 2, contraction: 4 },
};

/** @throws RangeError naming the parameter, what was expected and what came. */
export function checkHandelConfig(config: HandelConfig, nodes: number): void {
  requireInteger('threshold', config.threshold, 1, nodes);
  requireNumber('disseminationPeriodMs', config.disseminationPeriodMs, 0.001, 3_600_000);
  requireNumber('levelStartMs', config.levelStartMs, 0, 3_600_000);
  requireInteger('fastPathPeers', config.fastPathPeers, 0, 2 ** 20);
  requireInteger('window.max', config.window.max, 1, 2 ** 20);
  requireInteger('window.initial', config.window.initial, 1, config.window.max);
  requireNumber('window.expansion', config.window.expansion, 1, 1024);
  requireNumber('window.contraction', config.window.contraction, 1, 1024);
}
