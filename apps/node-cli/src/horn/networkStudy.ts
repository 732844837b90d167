import type { NetworkRow } from './networkRow.ts';

/** Returns the settings of a slot as a study's columns. */
function settingColumns(row: NetworkRow) {
  const { preset, validators, beaconNodes, distribution, network, reserved, machine, cores, batch, keySums } = row;
  const { participation, mode, seed, slotMs } = row;
  return {
    preset,
    validators,
    beaconNodes,
    distribution,
    network,
    reservedShare: reserved,
    machine,
    cores,
    batch,
    keySums,
    participationShare: participation,
    mode,
    seed,
    slotMs,
  };
}

/**
 * Returns the mean share of the votes that proposers have, percent. It is limited to 100, because a sum of shares may
 * exceed 1 by a rounding error.
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
    inReachLeastPercent: 100 * inReach.least,
    inReachLastSlotPercent: meanPercent(inRow.at(-1)!),
    reachMs: reach.meanMs ?? null,
    delays,
    droppedMessages: dropped,
    inNextBlockPercent: 100 * chain.inNextBlock,
    rewardLostPercent: 100 * chain.rewardLost,
    finalSeconds: chain.finalSeconds ?? null,
  };
}

/** Returns one row per class of links: the load of its nodes, with the result of the slot. */
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
