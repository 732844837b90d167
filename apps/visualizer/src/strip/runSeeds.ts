import type { RunResult, Scenario } from '@tutti/simulation';
import { type EditedRules, unedited } from '../rules/editedRules.ts';
import { type SeedRow, SeedStrip } from './seedStrip.ts';
import { lastNode } from './seedText.ts';

/** Scenario to simulate with one of its seeds. */
export interface RunRequest {
  readonly scenario: Scenario;
  /** Rules of the honest nodes. */
  readonly edited: EditedRules;
  /** Virtual time after which a run that has not ended is stopped, ms. */
  readonly giveUpAfterMs: number;
}

/** Maximum number of nodes. Twenty larger runs would take minutes. */
const maxNodes = 1024;

/** Returns a strip with the time of the last node of simulated runs. */
export function runSeeds(host: HTMLElement): SeedStrip<RunRequest> {
  return new SeedStrip<RunRequest>(
    host,
    lastNode,
    () => new Worker(new URL('./seedWorker.ts', import.meta.url), { type: 'module', name: 'tutti-seeds' }),
  );
}

/**
 * Returns whether a run can be compared with other seeds. Faults name nodes by id, and with another seed an id refers
 * to another node.
 */
export function hasSeeds({ nodes, faults }: Scenario): boolean {
  return nodes <= maxNodes && faults.length === 0;
}

/** Returns a row with the time of the last node. */
export function runRow(
  scenario: Scenario,
  { reached, live, lastMs }: { readonly reached: number; readonly live: number; readonly lastMs: number },
  { name = '', giveUpAfterMs = 4000, edited = unedited } = {},
): SeedRow<RunRequest> {
  return {
    name,
    own: reached === live ? lastMs : undefined,
    requestOf: (seed) => ({ scenario: { ...scenario, seed }, edited, giveUpAfterMs }),
  };
}

/** Returns the times of a result that a row needs. */
export function lastOf({ reached, live, timeToThresholdMs }: RunResult) {
  return { reached, live, lastMs: timeToThresholdMs.max };
}
