import { type NetworkScenario, type Summary, summaryOf, systemOf } from '@tutti/ethereum';
import type { StatedWorld } from '../output/statedWorld.ts';
import { counted, grouped } from '../output/text.ts';
import { type OverSeeds, overSeeds } from '../results/overSeeds.ts';
import { clientText } from './networkFlags.ts';
import type { NetworkRow } from './networkRow.ts';

type OfSeed = 'seed' | 'result' | 'inRow' | 'proposers' | 'chain' | 'bandwidth';

/** Minimum share of the cast votes within the next proposer's reach for the slot to count as long enough. */
export const sufficientShare = 0.99;

/** Results for one system over several seeds, with the settings of the system. */
export interface NetworkSummary extends Omit<NetworkRow, OfSeed> {
  readonly seeds: readonly number[];
  /** Results for the first slot. Votes within reach are summarised over all proposers and all seeds. */
  readonly result: Omit<OverSeeds<NetworkRow['result']>, 'inReach'> & { readonly inReach: Summary };
  /** Votes within reach in each consecutive slot, over all proposers and all seeds. */
  readonly inRow: readonly Summary[];
  readonly chain: OverSeeds<NetworkRow['chain']>;
  readonly bandwidth: OverSeeds<NetworkRow['bandwidth']>;
}

/** Summarises the rows of one system, which has one row per seed. */
export function networkSummary(rows: readonly NetworkRow[]): NetworkSummary {
  const { seed: _, result: __, inRow: ___, proposers: ____, chain: _____, bandwidth: ______, ...setting } = rows[0]!;
  const slots = Math.max(...rows.map(({ inRow }) => inRow.length));
  const inRow = Array.from({ length: slots }, (_, slot) => votesInReach(rows, slot));
  return {
    ...setting,
    seeds: rows.map(({ seed }) => seed),
    result: { ...overSeeds(rows.map(({ result }) => result)), inReach: inRow[0]! },
    inRow,
    chain: overSeeds(rows.map(({ chain }) => chain)),
    bandwidth: overSeeds(rows.map(({ bandwidth }) => bandwidth)),
  };
}

/**
 * Summarises the share of the votes within a proposer's reach, over all seeds and over all proposers, weighted by the
 * number of their validators.
 *
 * @param slot index of the consecutive slot. If a seed has fewer slots, the last slot of that seed counts. Default: the
 * last slot.
 */
export function votesInReach(rows: readonly NetworkRow[], slot = Number.POSITIVE_INFINITY): Summary {
  const of = rows.map(({ proposers }) => proposers[Math.min(slot, proposers.length - 1)]!);
  return summaryOf(
    of.flatMap(({ shares }) => shares),
    of.flatMap(({ validators }) => validators),
  );
}

/** Returns a summary of shares, percent. */
export function inPercent({ mean, min, p10, p90, max }: Summary): Summary {
  return { mean: 100 * mean, min: 100 * min, p10: 100 * p10, p90: 100 * p90, max: 100 * max };
}

const percent = (share: number): string => `${grouped(100 * share)} %`;

/**
 * Describes the settings of the slots. For a setting that differs between rows, the text lists all values, or says `by
 * row` if there are more than five.
 */
export function networkWorld(scenarios: readonly NetworkScenario[], seeds: readonly number[]): StatedWorld {
  const each = (of: (scenario: NetworkScenario) => string) => {
    const values = [...new Set(scenarios.map(of))];
    return values.length > 5 ? 'by row' : values.join(' or ');
  };
  return {
    profile: each(({ system }) => system),
    nodes: each(
      ({ nodes, validators, distribution }) =>
        `${grouped(nodes)} with ${counted(validators, 'validator')} (${distribution})`,
    ),
    cores: each(
      ({ client, clients, keySums }) =>
        `${client.cores} of ${client.machine}, batches of ${client.batch}${clients.length > 0 ? `, others ${clientText(clients)}` : ''}, ${keySums} sums of keys`,
    ),
    start: each((scenario) => {
      const { attestMs, slotMs } = systemOf(scenario);
      return `votes due at ${grouped(attestMs)} of ${grouped(slotMs)} ms`;
    }),
    network: each(({ network }) => network),
    links: each(({ links, reserved }) => {
      const classes = links.map(
        ({ name, share, downMbps, upMbps }) => `${percent(share)} ${name} ${downMbps}/${upMbps} Mbps down/up`,
      );
      return `${classes.join(', ')}${reserved > 0 ? `, ${percent(reserved)} of the bandwidth for other traffic` : ''}`;
    }),
    seeds,
    also: [
      each(({ participation }) => `${percent(participation)} of the validators vote`),
      ...(scenarios.some(({ attacks }) => attacks.length > 0)
        ? [
            each(
              ({ attacks }) =>
                attacks.map(({ name, share }) => `Eve has ${percent(share)}: ${name}`).join(', ') || 'no Eve',
            ),
          ]
        : []),
    ],
  };
}

/** Converts a summary of the votes within reach to columns of a study, percent. */
export function inReachColumns({ mean, min, p10, p90, max }: Summary) {
  return {
    inReachPercent: mean,
    inReachMinPercent: min,
    inReachMaxPercent: max,
    inReachP10Percent: p10,
    inReachP90Percent: p90,
  };
}

/** Returns the settings of a slot as columns of a study. */
export function settingColumns(row: NetworkRow) {
  const { preset, validators, beaconNodes, distribution, network, reserved, machine, cores, batch, keySums } = row;
  const { participation, mode, seed, slotMs } = row;
  return {
    ...{ preset, validators, beaconNodes, distribution, network, reservedShare: reserved },
    ...{ machine, cores, batch, keySums, participationShare: participation, mode, seed, slotMs },
  };
}

/**
 * Returns the mean share of the votes within the proposers' reach, percent. The result is limited to 100, because
 * rounding errors may raise a sum of shares above 1.
 */
export function meanPercent({ mean }: NetworkRow['result']['inReach']): number {
  return 100 * Math.min(1, mean);
}

function slotColumns({ result, inRow, chain }: NetworkRow) {
  const { cast, globalMessages, globalBytes, published, inReach, reach, delays, dropped } = result;
  return {
    votes: cast,
    globalMessages,
    globalBytes,
    publishedPercent: (100 * published) / cast,
    inReachPercent: meanPercent(inReach),
    inReachMinPercent: 100 * inReach.min,
    inReachLastSlotPercent: meanPercent(inRow.at(-1)!),
    reachMs: reach.meanMs ?? null,
    delays,
    droppedMessages: dropped,
    inNextBlockPercent: 100 * chain.inNextBlock,
    rewardLostPercent: 100 * chain.rewardLost,
    finalSeconds: chain.finalSeconds ?? null,
  };
}

/** Returns one row per class of links: the load on nodes of that class, and the result of the slot. */
export function networkStudyRows(row: NetworkRow): object[] {
  return row.links.map(({ name, share, downMbps, upMbps }, index) => {
    const { copies, duplicates, ...load } = row.result.loads[index]!;
    return {
      ...settingColumns(row),
      link: name,
      linkShare: share,
      downMbps,
      upMbps,
      ...slotColumns(row),
      ...load,
      copies,
      duplicatesPercent: copies === 0 ? 0 : (100 * duplicates) / copies,
      linkRewardLostPercent: 100 * row.chain.rewardLostByLink[index]!,
    };
  });
}
