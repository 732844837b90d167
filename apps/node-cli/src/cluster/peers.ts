import type { Endpoint } from '@tutti/core';
import {
  type AttackSetting,
  type Coalition,
  delayBoundMs,
  type ProtocolName,
  wireAttacks,
  wireSetting,
} from '@tutti/simulation';
import { FaultyNode } from '@tutti/simulation/engine';
import {
  HostilePort,
  type NodePlace,
  Peer,
  type PeerOptions,
  type Round,
  type RoundProtocol,
  type Transport,
} from '@tutti/transports';
import { type ByzantineGroup, type ClusterCast, onNetwork, packetDelays, slowFactor } from './cast.ts';
import type { ClusterSetup } from './memberProcess.ts';
import { machineClock } from './plannedRounds.ts';
import { clusterProtocols, roundProtocol } from './protocols.ts';
import type { Signer, Signers } from './signers.ts';

/** A node of this process, with its socket and its keys. */
export interface OpenNode {
  /** Index of the node's entry in the registry. */
  readonly index: number;
  readonly signer: Signer;
  readonly transport: Transport;
}

/** The peers of one process. */
export interface OpenPeers {
  readonly honest: readonly Peer[];
  readonly byzantine: readonly Peer[];
}

/**
 * Creates the peers of the process's nodes on the network that the setup requests; dead nodes get no peers. All peers
 * share the public data of each round.
 *
 * @param seed seed of the cluster.
 * @param onInvalid called with the blacklisted entry and the node that blacklisted it, both as registry indices.
 */
export function openPeers(
  signers: Signers,
  nodes: readonly OpenNode[],
  { entries, config, points, regions, impairment, protocol: name = 'handel', cast = allHonest(entries) }: ClusterSetup,
  seed: number,
  onInvalid: (sender: number, by: number) => void,
  handlers: Required<Pick<PeerOptions, 'onOutput' | 'onFailure'>>,
): OpenPeers {
  const members = signers.group(entries, points);
  const delaysTo = regions && packetDelays(members.endpoints, regions);
  const attackDelayMs = cast.byzantine.some(({ attack }) => attack === 'delay') ? delayBoundMs : 0;
  const delaysOf = (index: number): ((from: Endpoint) => number) | undefined => {
    const latencyMs = delaysTo?.(index);
    return attackDelayMs === 0 ? latencyMs : (from) => (latencyMs?.(from) ?? 0) + attackDelayMs;
  };
  const peerOf = (
    { index, signer, transport }: OpenNode,
    own: Pick<PeerOptions, 'protocol' | 'onOutput' | 'onInvalid'>,
  ) =>
    new Peer({
      group: members,
      index,
      networkSecret: signer.networkSecret,
      sign: signer.sign,
      transport: onNetwork(transport, delaysOf(index), impairment),
      clock: machineClock,
      config,
      onFailure: handlers.onFailure,
      ...own,
    });
  const protocol = roundProtocol(name);
  const slow = slowed(protocol);
  const honest = nodes
    .filter(({ index }) => index < cast.honest)
    .map((node) =>
      peerOf(node, {
        protocol: node.index < cast.slow ? slow : protocol,
        onOutput: handlers.onOutput,
        onInvalid: (index) => onInvalid(index, node.index),
      }),
    );
  const byzantine = cast.byzantine.flatMap((group) => {
    const attacking = attackingProtocol(group, cast, protocol, clusterProtocols[name].scenario.protocol, seed);
    return nodes
      .filter(({ index }) => index >= group.first && index < group.end)
      .map((node) => peerOf(node, { protocol: attacking }));
  });
  return { honest, byzantine };
}

function allHonest({ length }: ClusterSetup['entries']): ClusterCast {
  return { honest: length, slow: 0, byzantine: [] };
}

/** Returns the protocol for a slow machine: each verification takes longer, as it does under simulated faults. */
function slowed(protocol: RoundProtocol): RoundProtocol {
  const slow = [{ fromUs: 0, untilUs: Number.POSITIVE_INFINITY, factor: slowFactor }];
  return {
    messages: protocol.messages,
    createNode: (place, port) =>
      new FaultyNode({
        faults: { outages: [], slow, skewUs: 0, rate: 1 },
        port,
        scheme: place.round.scheme,
        make: (inner) => protocol.createNode(place, inner),
        onStateLost() {},
        count() {},
      }),
  };
}

/** Members of a Byzantine group in one round: their places by position, and their coalition. */
interface RoundMembers {
  readonly places: Map<number, NodePlace>;
  readonly coalition: Coalition;
}

/**
 * Returns the protocol of a Byzantine group, which carries out an attack of the simulator over real sockets. All
 * members of the group must be in this process, because the members share state.
 *
 * @param name name of the attacked protocol.
 * @param seed seed of the cluster.
 */
function attackingProtocol(
  group: ByzantineGroup,
  cast: ClusterCast,
  protocol: RoundProtocol,
  name: ProtocolName,
  seed: number,
): RoundProtocol {
  const attack = wireAttacks.find((one) => one.name === group.attack)!;
  const formed = new WeakMap<Round, RoundMembers>();
  const membersOf = (place: NodePlace): RoundMembers => {
    const { round } = place;
    const known = formed.get(round);
    if (known !== undefined) return known;
    const places = new Map<number, NodePlace>();
    const members = { places, coalition: attack.form(settingOf(place, places)) };
    formed.set(round, members);
    return members;
  };
  const settingOf = ({ round, config }: NodePlace, places: ReadonlyMap<number, NodePlace>): AttackSetting => {
    const { scheme, priorities } = round;
    const positions = (first: number, end: number) => [...round.positions.subarray(first, end)].sort((a, b) => a - b);
    return wireSetting({
      protocol: name,
      scheme,
      priorities,
      config,
      seed,
      purpose: `attack ${attack.name}, round ${round.number}`,
      members: positions(group.first, group.end),
      victims: positions(0, cast.honest),
      isByzantine: (id) => {
        const index = round.placement[id]!;
        return cast.byzantine.some(({ first, end }) => index >= first && index < end);
      },
      individual(id) {
        const { own } = places.get(id)!;
        scheme.retain(own);
        return own;
      },
      honest: (id, port) => protocol.createNode(places.get(id)!, port),
    });
  };
  return {
    messages: protocol.messages,
    createNode(place, port) {
      const { places, coalition } = membersOf(place);
      // The scheme must retain the contribution, because other members of the group use it until the end of the round.
      place.round.scheme.retain(place.own);
      places.set(place.id, place);
      return coalition.join(place.id, new HostilePort(place, port, protocol.messages));
    },
  };
}
