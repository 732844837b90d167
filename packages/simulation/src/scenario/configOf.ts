import { type HandelConfig, paperWindow, relativeWindow } from '@tutti/core';
import { requireObject } from '@tutti/core/settings';
import type { Scenario } from './scenario.ts';

/** The windows that a scenario can have. */
export const windows = { relative: relativeWindow, paper: paperWindow };

/**
 * The parameters of Handel's nodes in a run of a scenario: what the simulation gives its own, and what a variant of
 * Handel starts from.
 *
 * @param threshold contributions that an output must contain, 1 to N: a `NodeSetting` has it.
 * @returns every parameter, none left to a default.
 */
export function configOf(scenario: Scenario, threshold: number): Required<HandelConfig> {
  requireObject('scenario', scenario);
  // Field by field, for speed: see speed/isTuned.ts.
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
