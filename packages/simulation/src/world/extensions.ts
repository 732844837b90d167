import type { AggregationScheme, Contribution, Port, ProtocolNode, Quorum, VerificationPriorities } from '@tutti/core';
import {
  expected,
  requireArray,
  requireFunction,
  requireKnownFields,
  requireMethods,
  requireNumber,
  requireObject,
} from '@tutti/core/settings';
import type { Attack } from '../attacks/attack.ts';
import type { NetworkModel } from '../engine/network/networkModel.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { HonestNodes } from './honest.ts';

/** What a node of your own is made from. */
export interface NodeSetting {
  readonly scenario: Scenario;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** Contributions that an output must contain. */
  readonly threshold: number;
  /** What its signers must weigh besides; undefined where all nodes weigh the same. */
  readonly quorum?: Quorum | undefined;
}

/** A claim of your own, checked while the run goes on. What it throws ends the run and reaches its caller. */
export interface OwnChecker {
  /** A message arrived at a node that is awake. */
  onMessage?(from: number, to: number, level: number, nowUs: number): void;
  /** A node gave an output. The contribution is lent. */
  onOutput?(id: number, contribution: Contribution, nowUs: number): void;
}

/**
 * Puts something of your own between an honest node and its port: calls `make` with the port that the node is to have, and
 * returns what the run is to call in the node's place.
 */
export type NodeWrapper = (id: number, port: Port, make: (port: Port) => ProtocolNode) => ProtocolNode;

/** Counts the bytes of one message. */
export type MessageBytes = (aggregate: Contribution, individual: Contribution, flags: number) => number;

/**
 * What a run can have in addition to its scenario, for variants of a protocol and worlds of your own. The scenario
 * alone then no longer determines the run: to repeat it, pass the same extensions again.
 */
export interface Extensions {
  /** Makes the honest nodes, in place of those of the scenario's protocol. */
  readonly nodes?: (setting: NodeSetting) => HonestNodes;
  /** Wraps each honest node, outside of its faults. The checkers no longer ask why a node verifies what it verifies. */
  readonly around?: (setting: NodeSetting) => NodeWrapper;
  /** Counts the bytes of messages, in place of the lengths of this project's encoding. */
  readonly messageBytes?: (setting: NodeSetting) => MessageBytes;
  /** In place of the scenario's network; made for the scenario's number of nodes. */
  readonly network?: NetworkModel;
  /** Beside the scenario's attacks, and after them. */
  readonly attacks?: readonly { readonly attack: Attack; readonly share: number }[];
  readonly checker?: OwnChecker;
}

/**
 * Looks at what was handed in before a run is made of it.
 *
 * @throws TypeError naming what is missing or of another kind.
 */
export function requireExtensions(options: Extensions): void {
  const { network, attacks, checker } = options;
  for (const name of ['nodes', 'around', 'messageBytes'] as const)
    if (options[name] !== undefined) requireFunction(`options.${name}`, options[name]);
  if (network !== undefined) {
    requireMethods('options.network', network, ['oneWayUs']);
    if (network.region?.length === undefined)
      throw new TypeError(expected('options.network.region', 'a place for each node', network.region));
  }
  if (attacks !== undefined) requireArray('options.attacks', attacks);
  for (const [index, one] of (attacks ?? []).entries()) {
    const label = `options.attacks[${index}]`;
    requireKnownFields(label, one, ['attack', 'share']);
    requireMethods(`${label}.attack`, one.attack, ['form']);
    requireNumber(`${label}.share`, one.share, 0, 1);
  }
  if (checker === undefined) return;
  requireObject('options.checker', checker, 'an object with onMessage, onOutput or both');
  const { onMessage, onOutput } = checker;
  if (onMessage === undefined && onOutput === undefined)
    throw new TypeError(expected('options.checker', 'onMessage, onOutput or both', 'neither'));
  if (onMessage !== undefined) requireFunction('options.checker.onMessage', onMessage);
  if (onOutput !== undefined) requireFunction('options.checker.onOutput', onOutput);
}

/** Checks a node that an extension made, before the run has it. @throws TypeError unless it has what every node has. */
export function requireNode(id: number, node: ProtocolNode, extension: 'nodes' | 'around' = 'nodes'): ProtocolNode {
  requireMethods(`options.${extension}' node ${id}`, node, ['start', 'onMessage', 'onTimer', 'onVerified']);
  return node;
}

/** A network of one's own, whose latencies are looked at. Its `oneWayUs` throws RangeError for one that is no time. */
export function validatedNetwork(network: NetworkModel): NetworkModel {
  return {
    regionNames: network.regionNames,
    region: network.region,
    ...(network.machine === undefined ? {} : { machine: network.machine }),
    oneWayUs(from, to) {
      const us = network.oneWayUs(from, to);
      if (!Number.isInteger(us) || us < 1)
        throw new RangeError(expected(`options.network.oneWayUs(${from}, ${to})`, 'whole microseconds, 1 or more', us));
      return us;
    },
  };
}
