import type { Spread } from '@tutti/simulation';
import { counted, grouped } from '../output/text.ts';
import { byzantineCount, type ClusterCast } from './cast.ts';
import type { ClusterOutcome } from './runCluster.ts';

const costs = ['timeToThresholdMs', 'messagesSent', 'bytesSent', 'checked'] as const;
type Cost = (typeof costs)[number];

/** Effect of a cluster's Byzantine nodes. Means are over the honest nodes and over all rounds. */
export interface AttackOutcome {
  readonly attacks: readonly { readonly name: string; readonly nodes: number }[];
  readonly liars: number;
  readonly honest: number;
  /** Minimum over the rounds of the number of honest nodes that reached the threshold. */
  readonly reached: number;
  /** Mean cost per honest node. Times in ms. */
  readonly cost: Readonly<Record<Cost, number>>;
  /** Mean cost per honest node in a cluster of the same seed with silent Byzantine nodes. */
  readonly costWithoutLiars: Readonly<Record<Cost, number>>;
  /** Ratio of `cost` to `costWithoutLiars`. */
  readonly ratio: Readonly<Record<Cost, number>>;
  readonly blacklisted: {
    /** Number of Byzantine nodes that at least one honest node blacklisted. */
    readonly liars: number;
    /** Number of honest nodes that at least one honest node blacklisted. */
    readonly honest: number;
    /** Number of honest nodes that blacklisted a Byzantine node, on average over all Byzantine nodes. */
    readonly nodesPerLiar: number;
  };
}

/**
 * Compares a cluster under attack with the same cluster without attack.
 *
 * @param without outcome of the same cluster with silent Byzantine nodes.
 */
export function attackOutcome(cast: ClusterCast, outcome: ClusterOutcome, without: ClusterOutcome): AttackOutcome {
  const { honest, liars: groups } = cast;
  const liars = byzantineCount(cast);
  const cost = costOf(outcome);
  const costWithoutLiars = costOf(without);
  const listed = [...outcome.blacklisted];
  const liarsListed = listed.filter(([index]) => index >= honest);
  return {
    attacks: groups.map(({ attack, first, end }) => ({ name: attack, nodes: end - first })),
    liars,
    honest,
    reached: Math.min(...outcome.rounds.map(({ figures }) => figures.reached)),
    cost,
    costWithoutLiars,
    ratio: record((name) => cost[name] / costWithoutLiars[name]),
    blacklisted: {
      liars: liarsListed.length,
      honest: listed.length - liarsListed.length,
      nodesPerLiar: liars === 0 ? 0 : liarsListed.reduce((sum, [, nodes]) => sum + nodes, 0) / liars,
    },
  };
}

function costOf({ rounds }: Pick<ClusterOutcome, 'rounds'>): Record<Cost, number> {
  return record((name) => {
    const means = rounds.map(({ figures }) => (figures[name] satisfies Spread).mean);
    return means.reduce((sum, mean) => sum + mean, 0) / means.length;
  });
}

function record(of: (name: Cost) => number): Record<Cost, number> {
  return Object.fromEntries(costs.map((name) => [name, of(name)])) as Record<Cost, number>;
}

/** Returns the effect of the Byzantine nodes as one line of text. */
export function attackLine({ attacks, honest, reached, ratio, blacklisted, liars }: AttackOutcome): string {
  const names = attacks.map(({ name, nodes }) => `${grouped(nodes)} ${name}`).join(', ');
  const times = (name: Cost) => `×${grouped(ratio[name], 2)}`;
  const wronged = blacklisted.honest === 0 ? 'no honest node' : counted(blacklisted.honest, 'honest node');
  return [
    `${names}: ${grouped(reached)} of ${counted(honest, 'honest node')} reached the threshold`,
    `time ${times('timeToThresholdMs')}, messages ${times('messagesSent')}, verifications ${times('checked')} compared with the same cluster and silent attackers`,
    `${grouped(blacklisted.liars)} of ${counted(liars, 'attacker')} blacklisted, each by ${grouped(blacklisted.nodesPerLiar, 1)} honest nodes on average; ${wronged} blacklisted`,
  ].join('; ');
}
