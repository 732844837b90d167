import { type Fault, NodeRole, type RecordedWorld, type RunResult, type Scenario } from '@tutti/simulation';
import { capital, count, counted } from '../formatNumber.ts';
import type { Conclusion } from '../page.ts';
import {
  changedRules,
  type EditedRules,
  type LevelOrder,
  type ScoreRule,
  switches,
  unedited,
} from '../rules/editedRules.ts';

/**
 * Describes nodes: by the id of a single node, by a region if the nodes are all of the region's honest live nodes, or
 * by their number.
 */
export function whoWords(ids: readonly number[], world: RecordedWorld): string {
  if (ids.length === 1) return `node ${count(ids[0]!)}`;
  const place = world.region[ids[0]!]!;
  const isWhole =
    regionNodes(world, place).filter((id) => world.role[id] === NodeRole.honest || ids.includes(id)).length ===
    ids.length;
  if (world.regionNames.length > 1 && isWhole && ids.every((id) => world.region[id] === place))
    return world.regionNames[place]!;
  return `${count(ids.length)} nodes`;
}

/** Returns the nodes in a region. */
export function regionNodes({ region, nodes }: RecordedWorld, place: number): readonly number[] {
  return Array.from({ length: nodes }, (_, id) => id).filter((id) => region[id] === place);
}

/** Returns the nodes that a fault affects, as ids or as a share; undefined if the fault affects all nodes. */
function affectedBy(fault: Fault) {
  return 'nodes' in fault ? fault.nodes : 'from' in fault ? fault.from : undefined;
}

/** Describes a fault in a few words. */
export function faultWords(fault: Fault, world: RecordedWorld): string {
  const set = affectedBy(fault);
  const who =
    set === undefined
      ? 'all nodes'
      : 'share' in set
        ? `${Math.round(set.share * 100)} % of the nodes`
        : whoWords(set, world);
  const at = 'atMs' in fault && fault.atMs !== undefined ? ` from ${fault.atMs.toFixed(0)} ms` : '';
  const length = 'forMs' in fault && fault.forMs !== undefined ? ` for ${count(fault.forMs)} ms` : '';
  switch (fault.kind) {
    case 'crash':
      return `${who} stopped at ${fault.atMs.toFixed(0)} ms`;
    case 'partition':
      return `${who} cut off${at}${length}`;
    case 'slow-nodes':
      return `${who} ${fault.factor} times slower${at}${length}`;
    case 'corruption':
      return fault.of === 'signature'
        ? `${who}: invalid signatures${at}${length}`
        : `${who}: corrupted messages${at}${length}`;
    default:
      return `${fault.kind.replace('-', ' ')} of ${who}${at}${length}`;
  }
}

/** Describes how a branch differs from its original run. */
export function branchWords(scenario: Scenario, ground: Scenario, world: RecordedWorld): string {
  const off = switches.filter(({ isOff }) => isOff(scenario) && !isOff(ground));
  const parts = scenario.faults.map((fault) => faultWords(fault, world));
  if (off.length > 0) parts.push(`without ${off.map(({ words }) => words).join(' and ')}`);
  return parts.length === 0 ? 'original run' : parts.join('; ');
}

/** Values of a finished run that the texts in this file use. */
export interface RunOutcome {
  readonly digest: string;
  readonly live: number;
  readonly reached: number;
  /** Time at which the last node reached the threshold, ms; 0 if no node reached it. */
  readonly lastMs: number;
  /** Id of the last node to reach the threshold; -1 if no node reached it. */
  readonly lastNode: number;
  /** Mean number of verified contributions per live node. */
  readonly checked: number;
  /** Mean number of invalid contributions among the verified contributions. */
  readonly checkedInvalid: number;
  /**
   * First violated claim of the paper: the one that a checker found or, if live nodes produced no output, termination.
   * Undefined if there is none.
   */
  readonly broken: { readonly claim: string; readonly atUs: number } | undefined;
}

/**
 * Describes the effect of the last fault in two or three sentences, based on the runs with and without the fault: the
 * affected nodes, the size of the effect and its cause.
 *
 * @param before the run without the fault.
 */
export function breakWords(
  scenario: Scenario,
  world: RecordedWorld,
  before: RunOutcome | undefined,
  after: RunOutcome | undefined,
): string {
  const fault = scenario.faults.at(-1);
  if (fault === undefined || before === undefined || after === undefined) return '';
  const said = `${capital(faultWords(fault, world))}.`;
  const [missed, missing] = [before, after].map(missingOf) as [number, number];
  if (missing > 0) {
    const already =
      missed === missing
        ? ', as without the fault'
        : missed > 0
          ? `; without the fault, ${counted(missed, 'node')} never finished`
          : '';
    return `${said} ${count(missing)} of ${count(after.live)} honest nodes never finished${already}.`;
  }
  if (missed > 0)
    return `${said} All honest nodes finished; without the fault, ${counted(missed, 'node')} never finished.`;
  const by = Math.round(after.lastMs - before.lastMs);
  const end =
    by === 0
      ? `In both runs, the last node finished after ${count(Math.round(after.lastMs))} ms.`
      : `The last node finished after ${count(Math.round(after.lastMs))} ms instead of ${count(Math.round(before.lastMs))}: ${count(Math.abs(by))} ms ${by > 0 ? 'later' : 'earlier'}.`;
  return `${said} ${end} ${reason(fault, by, before, after)}`.trim();
}

/**
 * Describes the result of the run without faults, as a basis for comparison.
 *
 * @param honest the same run without Byzantine nodes; undefined until this run is known.
 */
export function unbrokenWords(
  { attacks }: Scenario,
  { live, reached, timeToThresholdMs }: Pick<RunResult, 'live' | 'reached' | 'timeToThresholdMs'>,
  honest?: Pick<RunResult, 'timeToThresholdMs'>,
): string {
  const lastOf = (run: Pick<RunResult, 'timeToThresholdMs'>) => `${count(Math.round(run.timeToThresholdMs.max))} ms`;
  const who = attacks.length === 0 ? `all ${count(live)} nodes` : `the ${count(live)} honest nodes`;
  const instead = attacks.length === 0 || honest === undefined ? '' : ` (${lastOf(honest)} without attackers)`;
  const yet = attacks.length === 0 ? 'No fault yet' : 'No fault yet except invalid signatures';
  if (reached < live) return `${yet}: ${count(reached)} of ${count(live)} nodes have finished. Choose a fault.`;
  return `${yet}: ${who} finish after ${lastOf({ timeToThresholdMs })}${instead}. Choose a fault to see which nodes are delayed.`;
}

/**
 * Names the last node to finish. If the fault lists its nodes, the text also states whether this node is one of them.
 */
function lastWords(fault: Fault, { lastNode }: RunOutcome): string {
  const of = affectedBy(fault);
  if (of === undefined || 'share' in of) return `The last node to finish is node ${count(lastNode)}.`;
  return `The last node, node ${count(lastNode)}, is ${of.includes(lastNode) ? 'one' : 'not one'} of the affected nodes.`;
}

/** Explains the effect of a fault; empty for a kind of fault that the page does not inject. */
function reason(fault: Fault, by: number, before: RunOutcome, after: RunOutcome): string {
  const checks = after.checked - before.checked;
  switch (fault.kind) {
    case 'crash':
      return by < 0
        ? 'Stopped nodes are no longer counted. The threshold is a share of the working nodes, so fewer signatures are needed.'
        : 'Nodes work on all levels in parallel, so the remaining nodes continued with the peers that answered.';
    case 'partition':
    case 'pause':
      return by > 0
        ? lastWords(fault, after)
        : 'Nodes resend their messages at regular intervals, so the last node received every message that it needed.';
    case 'slow-nodes':
      return by > 0 ? lastWords(fault, after) : 'The last node did not wait for the slow nodes.';
    case 'corruption':
      return `A node verifies one invalid contribution per sender and then ignores that sender. With the fault, each node makes ${count(Math.abs(Math.round(checks * 10) / 10))} ${checks >= 0 ? 'more' : 'fewer'} checks on average.`;
    default:
      return '';
  }
}

/** Names of the orders between levels. */
export const orderWords: Readonly<Record<LevelOrder, string>> = {
  share: 'greatest share of the level',
  gain: 'most signatures',
  rank: 'best rank',
  lowest: 'lowest level',
  highest: 'highest level',
};

/** Names of the scores of an aggregate. */
export const scoreWords: Readonly<Record<ScoreRule, string>> = {
  result: 'resulting signatures on the level',
  claim: 'signatures in the aggregate',
  any: 'equal for all useful contributions',
};

/** Describes the value of each rule in words. */
export function valueWords({ expansion, contraction, order, score }: EditedRules): Record<keyof EditedRules, string> {
  return {
    expansion: `expansion ×${expansion}`,
    contraction: `contraction ÷${contraction}`,
    order: `first: ${orderWords[order]}`,
    score: `score: ${scoreWords[score]}`,
  };
}

/** Describes the changed rules, as the name of a run; empty if no rule is changed. */
export function ruleWords(edited: EditedRules): string {
  const words = valueWords(edited);
  return changedRules(edited)
    .map((name) => words[name])
    .join(', ');
}

/** Effect that a changed rule should have. */
interface Expectation {
  readonly words: string;
  readonly unit: string;
  readonly of: (outcome: RunOutcome) => number;
  /** Sign of the expected difference. */
  readonly sign: 1 | -1;
}

const checks = { unit: 'checks', of: ({ checked }: RunOutcome) => checked } as const;

function expectationOf(rule: keyof EditedRules, edited: EditedRules): Expectation {
  switch (rule) {
    case 'expansion': {
      const isFaster = edited.expansion > unedited.expansion;
      const words = isFaster
        ? 'With a window that grows faster, nodes should need fewer checks.'
        : 'With a window that grows more slowly, nodes should need more checks.';
      return { words, ...checks, sign: isFaster ? -1 : 1 };
    }
    case 'contraction': {
      const isLess = edited.contraction < unedited.contraction;
      return {
        words: isLess
          ? 'With a window that shrinks less, nodes should verify more invalid contributions.'
          : 'With a window that shrinks more, nodes should verify fewer invalid contributions.',
        unit: 'invalid contributions',
        of: ({ checkedInvalid }) => checkedInvalid,
        sign: isLess ? 1 : -1,
      };
    }
    case 'order':
      return { words: 'With another order of levels, nodes should need more checks.', ...checks, sign: 1 };
    case 'score':
      return { words: 'With another score, nodes should need more checks.', ...checks, sign: 1 };
  }
}

/**
 * Returns the conclusion about changed rules, based on two runs of the same scenario: whether the expected effect
 * occurred.
 *
 * @param whole result of the run with Handel's rules.
 * @param other result of the run with the changed rules.
 */
export function ruleConclusion(edited: EditedRules, whole: RunOutcome, other: RunOutcome): Conclusion {
  const changed = changedRules(edited);
  const [rule] = changed;
  if (rule === undefined) return { said: '', facts: [] };
  const facts = [factOf('Handel’s rules', whole), factOf(ruleWords(edited), other)];
  // Several changed rules together have no single expected effect.
  const { words, unit, of, sign } = changed.length === 1 ? expectationOf(rule, edited) : several;
  const [before, after] = [of(whole), of(other)].map((value) => Number(value.toFixed(1))) as [number, number];
  const holds = sign * (after - before) > 0;
  const verdict = sign === 0 ? '' : holds ? 'This is the case in this run: ' : 'This is not the case in this run: ';
  const both =
    whole.digest === other.digest
      ? 'both runs have identical events'
      : `${after.toFixed(1)} ${unit} per node${before === after ? ', as before' : ` instead of ${before.toFixed(1)}`}; ${endWords(whole, other)}`;
  const broken =
    other.broken === undefined ? '' : ` The changed run violates one of the paper’s claims: ${other.broken.claim}.`;
  return { said: `${words} ${capital(`${verdict}${both}`)}.${broken}`, facts };
}

const several = { words: 'Several rules have been changed.', ...checks, sign: 0 } as const;

/** Returns the number of live nodes that never reached the threshold. */
function missingOf({ live, reached }: RunOutcome): number {
  return live - reached;
}

function endWords(whole: RunOutcome, other: RunOutcome): string {
  const [missed, missing] = [whole, other].map(missingOf) as [number, number];
  if (missing > 0)
    return `${count(missing)} of ${count(other.live)} nodes never finish (with Handel’s rules: ${missed === 0 ? 'none' : count(missed)})`;
  if (missed > 0)
    return `all nodes finish (with Handel’s rules, ${counted(missed, 'node')} never finish${missed === 1 ? 'es' : ''})`;
  const ms = (value: number) => `${count(value)} ms`;
  const [before, after] = [Math.round(whole.lastMs), Math.round(other.lastMs)];
  return before === after
    ? `the last node finishes after ${ms(after)}, as before`
    : `the last node finishes after ${ms(after)} instead of ${count(before)}`;
}

function factOf(name: string, { live, reached, lastMs, checked, checkedInvalid, broken }: RunOutcome): string {
  const end = `${count(reached)} of ${count(live)} nodes finish${reached === 0 ? '' : `, the last after ${count(Math.round(lastMs))} ms`}`;
  const claims =
    broken === undefined
      ? 'all of the paper’s claims hold'
      : `violated at ${(broken.atUs / 1000).toFixed(1)} ms: ${broken.claim}`;
  return `${name}: ${end}; ${checked.toFixed(1)} checks per node, including ${checkedInvalid.toFixed(1)} checks of invalid contributions; ${claims}`;
}
