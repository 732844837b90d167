import type { SlotResult } from '@tutti/ethereum';
import { LineKind, type Recording, type RunResult } from '@tutti/simulation';
import { capital, count, counted } from '../formatNumber.ts';
import type { LeanOutcomeRow } from '../lean/leanMoment.ts';
import { percent } from '../lean/leanText.ts';
import type { Conclusion } from '../page.ts';

const milliseconds = (value: number): string => `${count(Math.round(value))} ms`;

/**
 * Returns the conclusion of the chapter *How Handel works*. @param threshold number of contributions for which a node
 * waits.
 */
export function doublingConclusion(
  { nodes, live, reached, checked, timeToThresholdMs }: RunResult,
  threshold: number,
): Conclusion {
  const levels = Math.ceil(Math.log2(nodes));
  const [min, max] = [checked.min, checked.max].map((value) => count(value));
  const range = min === max ? min : `${min} to ${max}`;
  const facts = [
    `${count(reached)} of ${count(live)} nodes hold at least ${count(threshold)} signatures`,
    `last node: ${milliseconds(timeToThresholdMs.max)}`,
    `checks per node: ${range}`,
  ];
  if (reached < live) return { said: `${count(live - reached)} of ${count(live)} nodes never finish.`, facts };
  const end = `after ${milliseconds(timeToThresholdMs.max)}, all ${count(live)} nodes hold ${threshold === nodes ? `all ${count(nodes)}` : `at least ${count(threshold)}`} signatures.`;
  if (checked.min === levels && checked.max === levels)
    return { said: `Each node made ${levels} checks, one per level; ${end}`, facts };
  return { said: `There are ${levels} levels. Each node made ${range} checks; ${end}`, facts };
}

/** Describes how many contributions a node verified, and how many of them were invalid. */
export function queueConclusion({ length, kind, node, peer, value, untilUs }: Recording, me: number): Conclusion {
  let checks = 0;
  const invalidBySender = new Map<number, number>();
  for (let line = 0; line < length; line++) {
    if (kind[line] !== LineKind.check || node[line] !== me || untilUs[line]! < 0) continue;
    checks++;
    if (value[line]! < 0) invalidBySender.set(peer[line]!, (invalidBySender.get(peer[line]!) ?? 0) + 1);
  }
  const all = [...invalidBySender.values()].reduce((sum, one) => sum + one, 0);
  const max = Math.max(0, ...invalidBySender.values());
  const facts = [
    `checks of node ${count(me)}: ${count(checks)}`,
    `checks of invalid contributions: ${count(all)}, from ${counted(invalidBySender.size, 'sender')}`,
    `maximum number of invalid contributions from one sender: ${count(max)}`,
  ];
  // A Byzantine node verifies nothing.
  if (checks === 0) return { said: `Node ${count(me)} made no checks.`, facts };
  const each =
    all === 0
      ? 'All of the contributions were valid.'
      : all === 1
        ? 'One of the contributions was invalid.'
        : `${count(all)} of the contributions were invalid${max === 1 ? ', each from a different sender' : `, up to ${count(max)} from one sender`}.`;
  return { said: `Node ${count(me)} made ${counted(checks, 'check')}. ${each}`, facts };
}

/** Returns the conclusion about a mechanism, or about a baseline instead of Handel, from the two shown runs. */
export function switchConclusion(whole: RunResult, other: RunResult, name: string): Conclusion {
  const fact = ({ reached, live, timeToThresholdMs, checked }: RunResult) =>
    `${count(reached)} of ${count(live)} honest nodes finish, the last after ${milliseconds(timeToThresholdMs.max)}; ${checked.mean.toFixed(1)} checks per node`;
  const facts = [`all rules: ${fact(whole)}`, `${name}: ${fact(other)}`];
  const said = (words: string) => ({ said: `With ${count(whole.nodes)} nodes, ${name}: ${words}.`, facts });
  const [before, after] = [whole, other].map(({ timeToThresholdMs }) => Math.round(timeToThresholdMs.max)) as [
    number,
    number,
  ];
  const checks = [other, whole].map(({ checked }) => checked.mean.toFixed(1));
  if (other.reached < other.live) {
    const missed = whole.live - whole.reached;
    return said(
      `${count(other.live - other.reached)} of ${count(other.live)} honest nodes never finish. With all rules, ${missed === 0 ? 'all nodes finish' : `${counted(missed, 'node')} never finish${missed === 1 ? 'es' : ''}`}`,
    );
  }
  if (whole.reached < whole.live)
    return said(
      `all ${count(other.live)} honest nodes finish, the last after ${milliseconds(after)}. With all rules, ${count(whole.live - whole.reached)} of them never finish`,
    );
  if (before === after && checks[0] === checks[1])
    return said(`both runs end at the same time, after ${milliseconds(after)}`);
  return said(
    `the last of ${count(other.live)} honest nodes finishes after ${milliseconds(after)} instead of ${count(before)}, with ${checks[0]} checks per node instead of ${checks[1]}`,
  );
}

/** Compares the smallest of the user's runs with the largest: the growth of the time and of N. */
export function growthConclusion(runs: readonly Pick<RunResult, 'nodes' | 'timeToThresholdMs'>[]): Conclusion {
  const sorted = runs.toSorted((a, b) => a.nodes - b.nodes);
  const facts = sorted.map(
    ({ nodes, timeToThresholdMs }) => `${count(nodes)} nodes: mean ${milliseconds(timeToThresholdMs.mean)}`,
  );
  const [smallest] = sorted;
  const largest = sorted.at(-1);
  if (smallest === undefined || largest === undefined) return { said: '', facts };
  if (smallest === largest)
    return {
      said: `With ${count(smallest.nodes)} nodes, a node finishes after ${milliseconds(smallest.timeToThresholdMs.mean)} on average. Try other sizes.`,
      facts,
    };
  const doublings = Math.log2(largest.nodes / smallest.nodes);
  const by = largest.timeToThresholdMs.mean - smallest.timeToThresholdMs.mean;
  const change = `${milliseconds(Math.abs(by) / doublings)} ${by < 0 ? 'less' : 'more'} per doubling`;
  return {
    said: `${count(largest.nodes / smallest.nodes)} times as many nodes took ${(largest.timeToThresholdMs.mean / smallest.timeToThresholdMs.mean).toFixed(1)} times as long (mean over nodes), which is ${change}.`,
    facts,
  };
}

/** Describes Horn's savings compared with the strawman, and their cost. */
export function hornConclusion(strawman: SlotResult, horn: SlotResult): Conclusion {
  const [before, after] = [strawman.topics.global, horn.topics.global];
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const later = (horn.slotEndMs - strawman.slotEndMs) / 1000;
  const { parameters } = horn.scenario;
  const times = Math.round(before.messages / after.messages);
  const timesExpected = (parameters.subcommittees * parameters.aggregators) / parameters.collectors;
  const chance =
    times === timesExpected
      ? ''
      : ` Over many slots, the average factor is ${count(timesExpected)}. Collectors are elected at random, and this slot has ${count(after.messages)} collectors instead of ${count(parameters.committees * parameters.collectors)}.`;
  const facts = (
    [
      ['strawman', before],
      ['Horn', after],
    ] as const
  ).map(([name, { messages, bytes }]) => `${name}: ${count(messages)} messages (${megabytes(bytes)}) to every node`);
  const fewer =
    times > 1
      ? `reduces the number of messages to every node by a factor of ${count(times)} compared with the strawman`
      : `sends every node ${count(after.messages)} messages instead of the strawman’s ${count(before.messages)}`;
  const end =
    later === 0
      ? 'proposes its block at the same time'
      : `proposes its block ${count(Math.abs(later))} s ${later > 0 ? 'later' : 'earlier'}`;
  return {
    said: `With ${count(parameters.validators)} validators, Horn ${fewer}. Every node receives ${megabytes(after.bytes)} instead of ${megabytes(before.bytes)}. Horn ${end}.${chance}`,
    facts,
  };
}

type ProofsOutcome = Pick<
  LeanOutcomeRow,
  'merges' | 'duplicate' | 'late' | 'superseded' | 'proverSeconds' | 'proofs' | 'mergeMs'
> & { readonly votes: Pick<LeanOutcomeRow['votes'], 'mean'> };

/** Compares merges without and with assigned owners. @param shared result with owners. */
export function proofsConclusion(alone: ProofsOutcome, shared: ProofsOutcome): Conclusion {
  const wasted = ({ duplicate, late, superseded }: ProofsOutcome) => duplicate + late + superseded;
  const reasons = ({ duplicate, late, superseded }: ProofsOutcome) => {
    const all = [
      [late, 'too late'],
      [duplicate, duplicate === 1 ? 'duplicate' : 'duplicates'],
      [superseded, 'not chosen'],
    ] as const;
    const some = all.filter(([number]) => number > 0).map(([number, why]) => `${count(number)} ${why}`);
    return some.length === 0 ? '' : `: ${some.join(', ')}`;
  };
  const made = (one: ProofsOutcome) => {
    const all = one.merges === 1 ? '1 merge' : `${count(one.merges)} merges`;
    return `${all} (${wasted(one) === 0 ? 'none' : count(wasted(one))} wasted${reasons(one)})`;
  };
  const cost = (one: ProofsOutcome) =>
    `${made(one)} and ${Math.round(one.proverSeconds)}\u00a0s of work cover ${percent(one.votes.mean)} of the votes`;
  const left = ({ proofs, mergeMs }: ProofsOutcome) =>
    `${proofs === 1 ? '1 proof' : `${count(proofs)} proofs`} (${(mergeMs / 1000).toFixed(1)}\u00a0s)`;
  return {
    said: `Without assignment, ${cost(alone)}. With owners, ${cost(shared)}. Without assignment, the proposer must still merge ${left(alone)}; with owners, it must still merge ${left(shared)}.`,
    facts: (
      [
        ['without assignment', alone],
        ['with owners', shared],
      ] as const
    ).map(
      ([name, one]) =>
        `${name}: ${made(one)}; ${percent(one.votes.mean)} of the votes; left for the proposer: ${left(one)}`,
    ),
  };
}

/**
 * Describes the node whose contribution most other nodes left out.
 *
 * @param whole for the run with all rules, by node: number of other honest nodes that have the node's contribution at
 * the end; 0 for a node that is not honest.
 * @param without the same for the run without a rule.
 * @param honest ids of the honest nodes, at least one.
 * @param name words for the run without the rule, such as "without the blacklist".
 */
export function leftOutConclusion(
  whole: Int32Array,
  without: Int32Array,
  honest: readonly number[],
  name: string,
): Conclusion {
  const victim = honest.reduce((min, id) => (without[id]! < without[min]! ? id : min));
  const others = count(honest.length - 1);
  const lacking = (heard: Int32Array) => count(honest.length - 1 - heard[victim]!);
  const facts = [
    `all rules: node ${count(victim)} is in ${count(whole[victim]!)} of ${others} results`,
    `${name}: node ${count(victim)} is in ${count(without[victim]!)} of ${others} results`,
  ];
  if (without[victim]! >= whole[victim]!)
    return { said: `No node is included less often ${name} than with all rules.`, facts };
  return {
    said: `With all rules, node ${count(victim)} is included in the results of ${count(whole[victim]!)} of the ${others} other honest nodes and missing from ${lacking(whole)}. ${capital(name)}, it is included in ${count(without[victim]!)} and missing from ${lacking(without)}.`,
    facts,
  };
}
