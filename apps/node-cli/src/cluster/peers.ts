import { Peer, type PeerOptions, type Transport } from '@tutti/transports';
import { delayed, impaired } from '@tutti/transports/raw';
import { distances } from './distances.ts';
import type { ClusterSetup } from './messages.ts';
import { machineClock } from './plannedRounds.ts';
import type { Signer, Signers } from './signers.ts';

/** A node of this process with its socket and keys. */
export interface OpenNode {
  /** Index in the registry. */
  readonly index: number;
  readonly signer: Signer;
  readonly transport: Transport;
}

/** Creates the peers of nodes, on the network of the setup. They share all public data of a round. */
export function openPeers(
  signers: Signers,
  nodes: readonly OpenNode[],
  { entries, config, points, regions, impairment }: ClusterSetup,
  handlers: Required<Pick<PeerOptions, 'onOutput' | 'onFailure'>>,
): Peer[] {
  const group = signers.group(entries, points);
  const distancesTo = regions && distances(group.endpoints, regions);
  const onNetwork = (transport: Transport, index: number): Transport => {
    const far = distancesTo === undefined ? transport : delayed(transport, distancesTo(index));
    return impairment === undefined ? far : impaired(far, impairment, Math.random);
  };
  return nodes.map(
    ({ index, signer, transport }) =>
      new Peer({
        group,
        index,
        networkSecret: signer.networkSecret,
        sign: signer.sign,
        transport: onNetwork(transport, index),
        clock: machineClock,
        config,
        ...handlers,
      }),
  );
}
