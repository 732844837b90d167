import { defaultHandelConfig, type HandelConfig } from '@tutti/core';

/**
 * A node waits for the packets and checks of all nodes on its core. Sending more often than they can process only takes
 * CPU away from processing: measured, 512 nodes on two cores are done 7 s after the start with a period of 768 ms, and
 * 18 s after it with 130 ms.
 */
export const periodPerNodeMs = 3;

/**
 * The dissemination period that suits nodes which share a core, as those of one process do: the paper's 20 ms, or 3 ms
 * a node if that is more.
 *
 * @param nodes on the core; a fraction where processes share cores.
 * @returns whole milliseconds.
 */
export function fittingPeriodMs(nodes: number): number {
  return Math.max(defaultHandelConfig.disseminationPeriodMs, Math.ceil(nodes * periodPerNodeMs));
}

/** The parameters of a peer that names only some of them. */
export type PeerConfig = Pick<HandelConfig, 'threshold'> & Partial<HandelConfig>;

/** All parameters of a peer. @param peers of the process that share its group. */
export function peerConfig(config: PeerConfig, peers: number): HandelConfig {
  return { ...defaultHandelConfig, disseminationPeriodMs: fittingPeriodMs(peers), ...config };
}
