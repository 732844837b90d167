/**
 * Reference values of the post (Horn: "Bandwidth overhead"). A block's largest blobs in EIP-4844 are six of 131,072
 * bytes. Its largest calldata is 30,000,000 gas at 16 per byte. In 2023 a node received, and sent, 390 KB per second on
 * no subnet, and 6 to 7 MB on all.
 */
export const bandwidthMarks = {
  blobBytes: 6 * 131_072,
  calldataBytes: 30_000_000 / 16,
  noSubnetsBytesPerSecond: 390e3,
  allSubnetsBytesPerSecond: [6e6, 7e6],
} as const;

/** Bytes of a slot relative to these. */
export interface BandwidthRatios {
  /** Ratios of the bytes sent to the global topic, each message once, to a block's maximum blobs and calldata. */
  readonly ofBlobs: number;
  readonly ofCalldata: number;
  /**
   * Ratios of the bytes that a node receives per second over the slot, copies included, to those received on no subnet,
   * and on all: to the minimum and the maximum.
   */
  readonly ofNoSubnets: number;
  readonly ofAllSubnets: readonly [number, number];
}

/**
 * Returns the ratios. @param globalBytes sent to the global topic, each once. @param receivedBytes by a node in the
 * slot.
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
