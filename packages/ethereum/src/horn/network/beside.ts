/**
 * What the post sets bandwidth beside (Horn: "Bandwidth overhead"). A block's largest blobs as EIP-4844 had them, six
 * of 131,072 bytes; its most calldata, 30,000,000 gas at 16 a byte. What a node received, and as much transmitted, in
 * 2023, of everything: 390 KB a second on no subnet, 6 to 7 MB on all.
 */
export const bandwidthMarks = {
  blobBytes: 6 * 131_072,
  calldataBytes: 30_000_000 / 16,
  noSubnetsBytesPerSecond: 390e3,
  allSubnetsBytesPerSecond: [6e6, 7e6],
} as const;

/** A slot's bytes beside these. */
export interface BesideMarks {
  /** What is sent to the global topic, each message once, by what a block's blobs and its calldata are at most. */
  readonly ofBlobs: number;
  readonly ofCalldata: number;
  /**
   * What a node receives a second over the slot, gossip's copies among it, by what it received on no subnet, and on
   * all: by the least said and the most.
   */
  readonly ofNoSubnets: number;
  readonly ofAllSubnets: readonly [number, number];
}

/** @param globalBytes sent to the global topic, each once. @param receivedBytes by a node in the slot. */
export function besideMarks(globalBytes: number, receivedBytes: number, slotMs: number): BesideMarks {
  const { blobBytes, calldataBytes, noSubnetsBytesPerSecond, allSubnetsBytesPerSecond } = bandwidthMarks;
  const perSecond = (1000 * receivedBytes) / slotMs;
  return {
    ofBlobs: globalBytes / blobBytes,
    ofCalldata: globalBytes / calldataBytes,
    ofNoSubnets: perSecond / noSubnetsBytesPerSecond,
    ofAllSubnets: [perSecond / allSubnetsBytesPerSecond[0], perSecond / allSubnetsBytesPerSecond[1]],
  };
}
