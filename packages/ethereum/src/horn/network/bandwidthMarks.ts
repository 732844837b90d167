/**
 * Reference values of the post (Horn: "Bandwidth overhead"). The maximum blobs of a block in EIP-4844 are six blobs of
 * 131,072 bytes. Its maximum calldata is 30,000,000 gas at 16 gas per byte. In 2023 a node without subnets received,
 * and sent, 390 KB per second; a node on all subnets 6 to 7 MB per second.
 */
export const bandwidthMarks = {
  blobBytes: 6 * 131_072,
  calldataBytes: 30_000_000 / 16,
  noSubnetsBytesPerSecond: 390e3,
  allSubnetsBytesPerSecond: [6e6, 7e6],
} as const;

/** Ratios of a slot's bytes to these reference values. */
export interface BandwidthRatios {
  /** Ratio of the bytes sent to the global topic, each message counted once, to a block's maximum blobs. */
  readonly ofBlobs: number;
  /** Ratio of the bytes sent to the global topic, each message counted once, to a block's maximum calldata. */
  readonly ofCalldata: number;
  /**
   * Ratio of the bytes that a node receives per second of the slot, copies included, to those of a node without
   * subnets.
   */
  readonly ofNoSubnets: number;
  /**
   * Ratio of the bytes that a node receives per second of the slot, copies included, to those of a node on all subnets,
   * as minimum and maximum.
   */
  readonly ofAllSubnets: readonly [number, number];
}

/**
 * Returns the ratios. @param globalBytes bytes sent to the global topic, each message counted once. @param
 * receivedBytes bytes received by a node in the slot.
 */
export function bandwidthRatios(globalBytes: number, receivedBytes: number, slotMs: number): BandwidthRatios {
  const { blobBytes, calldataBytes, noSubnetsBytesPerSecond, allSubnetsBytesPerSecond } = bandwidthMarks;
  const perSecond = (1000 * receivedBytes) / slotMs;
  return {
    ofBlobs: globalBytes / blobBytes,
    ofCalldata: globalBytes / calldataBytes,
    ofNoSubnets: perSecond / noSubnetsBytesPerSecond,
    ofAllSubnets: [perSecond / allSubnetsBytesPerSecond[0], perSecond / allSubnetsBytesPerSecond[1]],
  };
}
