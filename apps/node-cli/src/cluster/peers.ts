import { delayed, impaired, Peer, type PeerOptions, type Transport } from '@tutti/transports';
import type { Bls } from '@tutti/wasm-bls';
import { localGroup } from '../localGroup.ts';
import type { NodeSecrets } from '../nodeKeys.ts';
import { distances } from './distances.ts';
import { machineClock } from './machineClock.ts';
import type { ClusterSetup } from './messages.ts';

/** A node of this process that has a socket and keys. */
export interface OpenNode {
  /** Its place in the registry. */
  readonly index: number;
  readonly secrets: NodeSecrets;
  readonly transport: Transport;
}

/** Makes peers of nodes, on the network that the setup asks for. What is public in a round is shared by all of them. */
export function openPeers(
  bls: Bls,
  nodes: readonly OpenNode[],
  { entries, config, regions, impairment }: ClusterSetup,
  handlers: Required<Pick<PeerOptions, 'onOutput' | 'onFailure'>>,
): Peer[] {
  const group = localGroup(bls, entries);
  const distancesTo = regions && distances(group.endpoints, regions);
  const onNetwork = (transport: Transport, index: number): Transport => {
    const far = distancesTo === undefined ? transport : delayed(transport, distancesTo(index));
    return impairment === undefined ? far : impaired(far, impairment, Math.random);
  };
  return nodes.map(
    ({ index, secrets, transport }) =>
      new Peer({
        group,
        index,
        networkSecret: secrets.networkSecret,
        sign: (message) => bls.sign(secrets.secretKey, message),
        transport: onNetwork(transport, index),
        clock: machineClock,
        config,
        ...handlers,
      }),
  );
}
