import {
  awsOneWayUs,
  createNetwork,
  defaultHandelConfig,
  HandelNode,
  invert,
  MultiSignatureScheme,
  ShiftedPriorities,
  shuffle,
  Tree,
} from '@tutti/core';
import {
  batched,
  Channel,
  type Clock,
  delayed,
  type Endpoint,
  Host,
  impaired,
  nodeCrypto,
  type Transport,
} from '@tutti/transports';
import { type Bls, inThreadVerifier } from '@tutti/wasm-bls';
import type { NodeSecrets } from '../nodeKeys.ts';
import type { ClusterRound } from './messages.ts';

/** A node of this process that has a socket and keys, and waits for a round. */
export interface OpenNode {
  /** Its place in the registry. */
  readonly index: number;
  readonly secrets: NodeSecrets;
  readonly transport: Transport;
}

/**
 * Puts nodes on their sockets for one round. What is public is shared by the nodes of this process (scheme, priorities, the
 * round's keys); what is a node's own, its channel, its state and what it verified, is not.
 */
export function hostNodes(
  bls: Bls,
  nodes: readonly OpenNode[],
  round: ClusterRound,
  clock: Clock,
  onOutput: (host: Host) => void,
  onFailure: (error: Error) => void,
): Host[] {
  const { entries, message, session, seed } = round;
  const size = entries.length;
  const placement = shuffle(size, seed);
  const positions = invert(placement);
  const scheme = new MultiSignatureScheme({ tree: new Tree(size), kernel: bls });
  const priorities = new ShiftedPriorities(size, seed);
  const keys = bls.round(
    Array.from(placement, (index) => entries[index]!.publicKey),
    message,
  );
  const verifier = batched(inThreadVerifier(keys));
  const config = {
    ...defaultHandelConfig,
    threshold: round.threshold,
    disseminationPeriodMs: round.periodMs,
    levelStartMs: round.levelStartMs,
    fastPathPeers: round.fastPath,
  };
  const distant =
    round.emulate === 'aws'
      ? awsDistances(
          entries.map(({ endpoint }) => endpoint),
          positions,
          seed,
        )
      : undefined;

  const onNetwork = (transport: Transport, index: number): Transport => {
    const far = distant === undefined ? transport : delayed(transport, distant(index));
    return round.impairment === undefined ? far : impaired(far, round.impairment, Math.random);
  };

  return nodes.map(({ index, secrets, transport }) => {
    const id = positions[index]!;
    const own = scheme.individual(id, bls.sign(secrets.secretKey, message));
    return new Host({
      id,
      placement,
      endpoints: entries.map(({ endpoint }) => endpoint),
      transport: onNetwork(transport, index),
      channel: new Channel({
        crypto: nodeCrypto,
        session,
        self: index,
        secret: secrets.networkSecret,
        publicKeys: entries.map((entry) => entry.networkKey),
      }),
      scheme,
      verifier,
      clock,
      createNode: (port) => new HandelNode({ id, config, scheme, priorities, own, port }),
      onOutput,
      onFailure,
    });
  });
}

/** For each receiver, how far away each address is, ms: the regions of a simulated run of this seed, the matrix of v1.03 appendix B. */
function awsDistances(
  endpoints: readonly Endpoint[],
  positions: Int32Array,
  seed: number,
): (receiver: number) => (from: Endpoint) => number {
  const { region } = createNetwork('aws', endpoints.length, seed);
  const regionOfPort = new Map(endpoints.map(({ port }, index) => [port, region[positions[index]!]!]));
  return (receiver) => {
    const here = region[positions[receiver]!]!;
    return ({ port }) => {
      const there = regionOfPort.get(port);
      return there === undefined ? 0 : awsOneWayUs(there, here) / 1000;
    };
  };
}
