import { createSimulation, NodeRole, type RunEnd, type Scenario } from '@tutti/simulation';
import { CheckFailed, type ClaimName } from '@tutti/simulation/checks';
import { doneMark, laneOf, never, type RaceLane } from '../race/raceFile.ts';
import { type EditedRules, nodesWith, unedited } from '../rules/editedRules.ts';
import { contributionGrid } from '../timeline/grids.ts';
import { heldSteps } from '../timeline/heldSteps.ts';
import type { RunOutcome } from './branchText.ts';

/** Request for a branch, which a worker runs. */
export interface BranchRequest {
  readonly scenario: Scenario;
  /** Rules of the branch's honest nodes. */
  readonly edited: EditedRules;
  /** Virtual time after which a run that is still in progress is stopped, ms. */
  readonly giveUpAfterMs: number;
}

/** Result of a branch, with the branch's progress over time. */
export interface BranchReport extends RunOutcome {
  readonly endUs: number;
  /** Mean share of all contributions that live nodes hold, 0 to 1, at evenly spaced times up to `endUs`. */
  readonly curve: Float32Array;
  /** Nodes of the branch as a field of cells. */
  readonly lane: RaceLane;
  readonly ended: RunEnd;
  /** Mean number of messages sent per live node. */
  readonly messagesSent: number;
  /** Mean number of bytes sent per live node. */
  readonly bytesSent: number;
  /**
   * First violated claim of the paper: the one that a checker found or, if live nodes produced no output, termination.
   * Undefined if there is none.
   */
  readonly broken: FirstBroken | undefined;
}

interface FirstBroken {
  readonly claim: ClaimName;
  readonly node: number | undefined;
  readonly atUs: number;
  readonly what: string;
}

/** Number of steps in the curve of a branch. */
const steps = 400;

/**
 * Simulates a scenario with counted signatures; the run is the same as with real signatures. A second simulation checks
 * the paper's claims, because it ends at the first violated claim.
 *
 * @param giveUpAfterMs virtual time after which a run that is still in progress is stopped, ms. Without some of the
 * mechanisms, a run may never end.
 * @param edited rules of the honest nodes. Default: the rules of Handel.
 */
export function runBranch(asked: Scenario, giveUpAfterMs: number, edited = unedited): BranchReport {
  const scenario: Scenario = { ...asked, scheme: 'counting' };
  const options = { giveUpAfterMs, ...nodesWith(edited) };
  const simulation = createSimulation(scenario, { ...options, record: { sends: false, setsUpTo: 0 } });
  while (simulation.advance(1 << 16));
  const { digest, live, reached, ended, timeToThresholdMs, messagesSent, bytesSent, checked, checkedInvalid } =
    simulation.result();
  const recording = simulation.recording();
  const endUs = recording.timeUs.at(-1) ?? 0;
  const { mean } = contributionGrid(recording, endUs, endUs, steps);
  const lane = laneOf({ recording, steps: heldSteps(recording) });
  return {
    endUs,
    lane,
    lastNode: lastOf(lane),
    curve: Float32Array.from(mean, (held) => held / scenario.nodes),
    digest,
    live,
    reached,
    ended,
    lastMs: timeToThresholdMs.max,
    messagesSent: messagesSent.mean,
    bytesSent: bytesSent.mean,
    checked: checked.mean,
    checkedInvalid: checkedInvalid.mean,
    broken: firstBroken(scenario, options) ?? notDone(live - reached, endUs),
  };
}

/** Returns the honest node of a lane that was the last to reach the threshold; -1 if none reached it. */
function lastOf(lane: RaceLane): number {
  const doneUs = (id: number) => doneMark(lane, id);
  const done = [...lane.role.keys()].filter((id) => lane.role[id] === NodeRole.honest && doneUs(id) < never);
  return done.reduce((last, id) => (last < 0 || doneUs(id) > doneUs(last) ? id : last), -1);
}

/** Simulates a scenario under the checkers. @returns the first violation, or undefined if there is none. */
function firstBroken(scenario: Scenario, options: Parameters<typeof createSimulation>[1]): FirstBroken | undefined {
  const judged = createSimulation(scenario, { ...options, checkers: true });
  try {
    while (judged.advance(1 << 16));
    return undefined;
  } catch (error) {
    if (!(error instanceof CheckFailed)) throw error;
    const { claim, node, atUs, message } = error;
    return { claim, node, atUs, what: message };
  }
}

function notDone(missing: number, endUs: number): FirstBroken | undefined {
  if (missing === 0) return undefined;
  return { claim: 'termination', node: undefined, atUs: endUs, what: `${missing} live nodes produced no output` };
}
