import type { Fault, RecordedWorld, RunResult, Scenario } from '@tutti/simulation';
import { count } from '../formatNumber.ts';
import type { BranchReport } from './branch.ts';
import { faultWords } from './branchText.ts';

type Result = Pick<BranchReport, 'lastMs' | 'checked' | 'messagesSent' | 'reached' | 'live'>;

/**
 * Describes the effect of the last fault in two or three sentences from both runs: the affected nodes, the amount and
 * the cause.
 *
 * @param before the run that it was made in.
 */
export function breakWords(
  scenario: Scenario,
  world: RecordedWorld,
  before: Result | undefined,
  after: Result | undefined,
): string {
  const fault = scenario.faults.at(-1);
  if (fault === undefined || before === undefined || after === undefined) return '';
  const what = faultWords(fault, world);
  const said = `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
  const missing = after.live - after.reached;
  if (missing > 0) {
    const missed = before.live - before.reached;
    const already = missed >= missing ? ', as without it' : missed > 0 ? `; ${count(missed)} without it` : '';
    return `${said} ${count(missing)} of ${count(after.live)} live nodes were never done${already}.`;
  }
  const by = Math.round(after.lastMs - before.lastMs);
  const end =
    by === 0
      ? `The last node was done at the same time, after ${count(Math.round(after.lastMs))} ms.`
      : `The last node was done after ${count(Math.round(after.lastMs))} ms instead of ${count(Math.round(before.lastMs))}: ${count(Math.abs(by))} ms ${by > 0 ? 'later' : 'sooner'}.`;
  return `${said} ${end} ${reason(fault, by, before, after)}`.trim();
}

/**
 * Describes the result of the run without faults, for comparison.
 *
 * @param honest the same run without Byzantine nodes, once it is known.
 */
export function unbrokenWords(
  { attacks }: Scenario,
  { live, reached, timeToThresholdMs }: Pick<RunResult, 'live' | 'reached' | 'timeToThresholdMs'>,
  honest?: Pick<RunResult, 'timeToThresholdMs'>,
): string {
  const lastOf = (run: Pick<RunResult, 'timeToThresholdMs'>) => `${count(Math.round(run.timeToThresholdMs.max))} ms`;
  const who = attacks.length === 0 ? `all ${count(live)}` : `the ${count(live)} who do not lie`;
  const instead = attacks.length === 0 || honest === undefined ? '' : ` instead of ${lastOf(honest)}, when nobody lies`;
  if (reached < live) return `Nothing is broken yet, and ${count(reached)} of ${count(live)} are done. Press, and see.`;
  return `Nothing is broken yet: ${who} are done after ${lastOf({ timeToThresholdMs })}${instead}. Press, and see who waits.`;
}

function reason(fault: Fault, by: number, before: Result, after: Result): string {
  const checks = after.checked - before.checked;
  switch (fault.kind) {
    case 'crash':
      return by < 0
        ? 'Who stopped counts as dead, and the threshold is a share of the living: fewer signatures are enough.'
        : 'Levels run side by side, so the others went on with whoever else answered; what was missing had to come another way.';
    case 'partition':
    case 'pause':
      return by > 0
        ? 'The others went on without them; those that were away could only be done once they were back.'
        : 'Whatever they missed came again in time: messages are repeated each period.';
    case 'slow-nodes':
      return by > 0
        ? 'The slow ones are the last: nobody waits for them, but they have their own checks to do.'
        : 'They had few checks left to do, and nobody waited for them.';
    case 'corruption':
      return `A node checks one lie of a sender and then ignores it: ${count(Math.abs(Math.round(checks * 10) / 10))} checks ${checks >= 0 ? 'more' : 'fewer'} a node.`;
    default:
      return '';
  }
}
