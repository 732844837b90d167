import type { SlotResult } from '@tutti/ethereum';
import { LineKind, type Recording, type RunResult } from '@tutti/simulation';
import { count } from '../formatNumber.ts';
import { type LeanOutcomeRow, percent } from '../lean/leanText.ts';

/** What a chapter showed, in one sentence made of its run, for a newcomer to say again. */

/** @param endUs when everybody was done. */
export function doublingConclusion(nodes: number, endUs: number): string {
  const swaps = Math.log2(nodes);
  return `${count(nodes)} nodes, ${swaps} swaps: with each a node holds twice as much, and after ${count(Math.round(endUs / 1000))} ms all hold ${count(nodes)}.`;
}

/** Describes how many invalid contributions a node received, and their cost. */
export function deskConclusion({ length, kind, node, peer, value, untilUs }: Recording, me: number): string {
  let checks = 0;
  const lies = new Map<number, number>();
  for (let line = 0; line < length; line++) {
    if (kind[line] !== LineKind.check || node[line] !== me || untilUs[line]! < 0) continue;
    checks++;
    if (value[line]! < 0) lies.set(peer[line]!, (lies.get(peer[line]!) ?? 0) + 1);
  }
  const all = [...lies.values()].reduce((sum, one) => sum + one, 0);
  const most = Math.max(0, ...lies.values());
  const each =
    all === 0
      ? 'none of them a lie'
      : `${count(all)} of them lies of ${count(lies.size)} nodes${most === 1 ? ', and nobody lied to it twice' : ''}`;
  return `Node ${count(me)} made ${count(checks)} checks, ${each}.`;
}

/** Compares the smallest of the user's runs with the largest: how much slower time grows than N. */
export function growthConclusion(runs: readonly Pick<RunResult, 'nodes' | 'timeToThresholdMs'>[]): string {
  const sorted = runs.toSorted((a, b) => a.nodes - b.nodes);
  const [least] = sorted;
  const most = sorted.at(-1);
  if (least === undefined || most === undefined) return '';
  if (least === most)
    return `${count(least.nodes)} nodes take ${count(Math.round(least.timeToThresholdMs.mean))} ms on average. Try other sizes.`;
  const doublings = Math.log2(most.nodes / least.nodes);
  const by = most.timeToThresholdMs.mean - least.timeToThresholdMs.mean;
  return `${count(most.nodes / least.nodes)} times as many nodes took ${(most.timeToThresholdMs.mean / least.timeToThresholdMs.mean).toFixed(1)} times as long: ${count(Math.round(by / doublings))} ms more with each doubling.`;
}

/** Describes Horn's savings compared with the strawman, and their cost. */
export function hornConclusion(strawman: SlotResult, horn: SlotResult): string {
  const [before, after] = [strawman.topics.global, horn.topics.global];
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const later = (horn.slotEndMs - strawman.slotEndMs) / 1000;
  const { parameters } = horn.scenario;
  const times = Math.round(before.messages / after.messages);
  const timesExpected = (parameters.subcommittees * parameters.aggregators) / parameters.collectors;
  const chance =
    times === timesExpected
      ? ''
      : ` Not ${count(timesExpected)} times, since collectors elect themselves by chance: ${count(after.messages)} here, ${count(parameters.committees * parameters.collectors)} on average.`;
  return `With ${count(parameters.validators)} validators Horn sends everybody ${count(times)} times fewer messages, ${megabytes(after.bytes)} instead of ${megabytes(before.bytes)}, and makes its block ${count(later)} s later.${chance}`;
}

/**
 * Describes the cost of merging without owners.
 *
 * @param shared result with owners.
 */
export function proofsConclusion(
  alone: Pick<LeanOutcomeRow, 'merges' | 'vain' | 'covered' | 'proverSeconds'>,
  shared: Pick<LeanOutcomeRow, 'merges' | 'vain' | 'covered' | 'proverSeconds'>,
): string {
  const made = ({ merges, vain }: { merges: number; vain: number }) => {
    const all = merges === 1 ? '1 merge' : `${count(merges)} merges`;
    if (vain === 0) return `${all}, ${merges === 1 ? 'not' : 'none'} in vain`;
    return `${all}, ${merges === 1 ? '' : `${vain === merges ? 'all' : count(vain)} of them `}in vain`;
  };
  const cost = ({ proverSeconds }: { proverSeconds: number }) => `${Math.round(proverSeconds)}\u00a0s`;
  return `Where nobody says who merges what, all do: ${made(alone)}, and ${cost(alone)} of work for ${percent(alone.covered)} of the votes. With one owner for each half: ${made(shared)}, and ${cost(shared)} for ${percent(shared.covered)}.`;
}

/**
 * Describes left-out contributions.
 *
 * @param heard number of other nodes with each honest node's contribution in the end, 0 for nodes that are not honest.
 */
export function leftOutConclusion(
  whole: Int32Array,
  without: Int32Array,
  honest: readonly number[],
  name: string,
): string {
  const victim = honest.reduce((least, id) => (without[id]! < without[least]! ? id : least));
  const others = count(honest.length - 1);
  if (without[victim]! >= whole[victim]!) return `Nobody is in fewer signatures ${name} than with everything.`;
  return `When all are done, node ${count(victim)} is in the signatures of ${count(whole[victim]!)} of the ${others} other honest nodes; ${name}, in ${count(without[victim]!)}.`;
}
