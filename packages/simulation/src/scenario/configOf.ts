import { type HandelConfig, paperWindow, relativeWindow } from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import type { Scenario } from './scenario.ts';

/** Windows that a scenario can have. */
export const windows = { relative: relativeWindow, paper: paperWindow };

/**
 * Returns the parameters of Handel's nodes in a run of a scenario. The simulation passes them to its own nodes, and a
 * variant of Handel can start from them.
 *
 * @param threshold number of contributions that an output must contain, 1 to N, as in `NodeSetting`.
 * @returns all parameters, including those with default values.
 */
export function configOf(scenario: Scenario, threshold: number): Required<HandelConfig> {
  requireObject('scenario', scenario);
  // The fields are written one by one for speed: see `isTuned` in run/simulation.ts.
  return {
    threshold,
    disseminationPeriodMs: scenario.periodMs,
    levelStartMs: scenario.levelStartMs,
    fastPathPeers: scenario.fastPath,
    backOff: scenario.backOff,
    batch: scenario.batch,
    window: windows[scenario.window],
    without: scenario.without,
  };
}
