import type { NetworkRow } from './networkRow.ts';

/** What a slot was played on, as a study's columns. */
export function settingColumns(row: NetworkRow) {
  const { preset, validators, beaconNodes, distribution, network, reserved, machine, cores, batch, keySums } = row;
  const { participation, mode, seed, slotMs } = row;
  return {
    ...{ preset, validators, beaconNodes, distribution, network, reservedShare: reserved, machine, cores, batch },
    ...{ keySums, participationShare: participation, mode, seed, slotMs },
  };
}

/** What it came to. */
export function slotColumns({ result, inRow, chain }: NetworkRow) {
  const { cast, globalMessages, globalBytes, published, inReach, reach, delays, dropped } = result;
  return {
    votes: cast,
    ...{ globalMessages, globalBytes },
    publishedPercent: (100 * published) / cast,
    inReachPercent: 100 * inReach.mean,
    inReachLeastPercent: 100 * inReach.least,
    inReachLastSlotPercent: 100 * inRow.at(-1)!.mean,
    reachMs: reach.meanMs ?? null,
    delays,
    droppedMessages: dropped,
    inNextBlockPercent: 100 * chain.inNextBlock,
    rewardLostPercent: 100 * chain.rewardLost,
    finalSeconds: chain.finalSeconds ?? null,
  };
}

/** A row a class of links: what its nodes have to do with, beside what the slot came to. */
export function networkStudyRows(row: NetworkRow): object[] {
  return row.links.map(({ name, share, downMbps, upMbps }, index) => {
    const { copies, duplicates, ...load } = row.result.loads[index]!;
    return {
      ...settingColumns(row),
      ...{ link: name, linkShare: share, downMbps, upMbps },
      ...slotColumns(row),
      ...load,
      copies,
      duplicatesPercent: copies === 0 ? 0 : (100 * duplicates) / copies,
      linkRewardLostPercent: 100 * row.chain.rewardLostByLink[index]!,
    };
  });
}
