import type { Fault, RecordedWorld, RunResult, Scenario } from '@tutti/simulation';
import { count } from '../formatNumber.ts';
import type { BranchReport } from './branch.ts';
import { faultWords } from './branchText.ts';

type Result = Pick<BranchReport, 'lastMs' | 'lastNode' | 'checked' | 'messagesSent' | 'reached' | 'live'>;

/**
 * Describes the effect of the last fault in two or three sentences, based on both runs: the affected nodes, the amount
 * and the cause.
 *
 * @param before the run without the fault.
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
    const already =
      missed >= missing
        ? ', as without the fault'
        : missed > 0
          ? `; without the fault, ${count(missed)} never finished`
          : '';
    return `${said} ${count(missing)} of ${count(after.live)} honest nodes never finished${already}.`;
  }
  const by = Math.round(after.lastMs - before.lastMs);
  const end =
    by === 0
      ? `The last node finished at the same time, after ${count(Math.round(after.lastMs))} ms.`
      : `The last node finished after ${count(Math.round(after.lastMs))} ms instead of ${count(Math.round(before.lastMs))}: ${count(Math.abs(by))} ms ${by > 0 ? 'later' : 'earlier'}.`;
  return `${said} ${end} ${reason(fault, by, before, after)}`.trim();
}

/**
 * Describes the result of the run without faults, for comparison.
 *
 * @param honest the same run without Byzantine nodes; undefined until it is known.
 */
export function unbrokenWords(
  { attacks }: Scenario,
  { live, reached, timeToThresholdMs }: Pick<RunResult, 'live' | 'reached' | 'timeToThresholdMs'>,
  honest?: Pick<RunResult, 'timeToThresholdMs'>,
): string {
  const lastOf = (run: Pick<RunResult, 'timeToThresholdMs'>) => `${count(Math.round(run.timeToThresholdMs.max))} ms`;
  const who = attacks.length === 0 ? `all ${count(live)} nodes` : `the ${count(live)} honest nodes`;
  const instead = attacks.length === 0 || honest === undefined ? '' : ` (${lastOf(honest)} without attackers)`;
  const yet = attacks.length === 0 ? 'No fault yet' : 'Only invalid signatures so far';
  if (reached < live) return `${yet}: ${count(reached)} of ${count(live)} nodes have finished. Choose a fault.`;
  return `${yet}: ${who} finish after ${lastOf({ timeToThresholdMs })}${instead}. Choose a fault to see which nodes are delayed.`;
}

/** Names the last node if the fault affects it. */
function lastWords(fault: Fault, { lastNode }: Result): string {
  const of = 'nodes' in fault ? fault.nodes : 'from' in fault ? fault.from : undefined;
  if (of === undefined || 'share' in of) return `The last node to finish is node ${count(lastNode)}.`;
  return of.includes(lastNode)
    ? `The last node, node ${count(lastNode)}, is one of the affected nodes.`
    : `The last node, node ${count(lastNode)}, is not one of the affected nodes.`;
}

function reason(fault: Fault, by: number, before: Result, after: Result): string {
  const checks = after.checked - before.checked;
  switch (fault.kind) {
    case 'crash':
      return by < 0
        ? 'Stopped nodes no longer count. The threshold is a share of the working nodes, so fewer signatures are needed.'
        : 'Nodes work on all levels in parallel, so the others continued with the peers that answered.';
    case 'partition':
    case 'pause':
      return by > 0
        ? lastWords(fault, after)
        : 'Nodes send messages again at regular intervals, so the last node missed no message that it needed.';
    case 'slow-nodes':
      return by > 0 ? lastWords(fault, after) : 'The last node did not wait for the slow nodes.';
    case 'corruption':
      return `A node verifies one invalid contribution per sender and then ignores that sender: ${count(Math.abs(Math.round(checks * 10) / 10))} ${checks >= 0 ? 'more' : 'fewer'} checks per node.`;
    default:
      return '';
  }
}
