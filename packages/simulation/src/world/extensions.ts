import type { Contribution, ForgingScheme, Port, ProtocolNode, Stakes, Tree } from '@tutti/core';
import {
  expected,
  oneOf,
  onOff,
  requireArray,
  requireFunction,
  requireIn,
  requireKnownFields,
  requireMethods,
  requireNumber,
  requireObject,
} from '@tutti/core/input';
import type { Attack } from '../attacks/attack.ts';
import type { NetworkModel } from '../engine/network/networkModel.ts';
import type { RunMemory } from '../engine/runMemory.ts';
import type { RecordingOptions } from '../recording/recording.ts';
import type { HonestNodes, NodeSetting } from './honest.ts';

/**
 * A claim of your own, checked during the run. An exception thrown by the claim ends the run and reaches the run's
 * caller.
 */
export interface OwnChecker {
  /** Called when a message has arrived at a node that is awake. */
  onMessage?(from: number, to: number, level: number, nowUs: number): void;
  /** Called when a node has produced an output. The contribution passed to the call is lent. */
  onOutput?(id: number, contribution: Contribution, nowUs: number): void;
}

/**
 * Wraps an honest node: the wrapper calls `make` with the port for the node, and returns the object that the run calls
 * instead of the node.
 */
export type NodeWrapper = (id: number, port: Port, make: (port: Port) => ProtocolNode) => ProtocolNode;

/** Returns the length of a message, bytes. */
export type MessageBytes = (aggregate: Contribution, individual: Contribution, flags: number) => number;

/**
 * Extensions of a run in addition to its scenario, for variants of a protocol and your own networks. With extensions,
 * the scenario alone no longer determines the run: to repeat the run, pass the same extensions again.
 */
export interface Extensions {
  /** Creates the honest nodes in place of the nodes of the scenario's protocol. */
  readonly nodes?: (setting: NodeSetting) => HonestNodes;
  /**
   * Wraps each honest node, outside the wrapper for faults. With this wrapper, the checkers no longer check the node's
   * choices of verifications.
   */
  readonly around?: (setting: NodeSetting) => NodeWrapper;
  /** Computes the length of messages in bytes, in place of this project's encoding. */
  readonly messageBytes?: (setting: NodeSetting) => MessageBytes;
  /** Network that replaces the scenario's network; it must be made for the scenario's number of nodes. */
  readonly network?: NetworkModel;
  /** Attacks in addition to the scenario's attacks; their nodes are drawn after the nodes of the scenario's attacks. */
  readonly attacks?: readonly { readonly attack: Attack; readonly share: number }[];
  /** Checker that runs in addition to the checkers of the paper's claims. */
  readonly checker?: OwnChecker;
}

/**
 * Checks extensions.
 *
 * @throws TypeError if a part is missing or has the wrong type; RangeError if a share is not between 0 and 1.
 */
function requireExtensions(options: Extensions): void {
  const { network, attacks = [], checker } = options;
  for (const name of ['nodes', 'around', 'messageBytes'] as const)
    if (options[name] !== undefined) requireFunction(`options.${name}`, options[name]);
  if (network !== undefined) {
    requireMethods('options.network', network, ['oneWayUs']);
    if (network.region?.length === undefined)
      throw new TypeError(expected('options.network.region', 'one place per node', network.region));
    requireArray('options.network.regionNames', network.regionNames);
  }
  requireArray('options.attacks', attacks);
  for (const [index, one] of attacks.entries()) {
    const label = `options.attacks[${index}]`;
    requireKnownFields(label, one, ['attack', 'share']);
    requireMethods(`${label}.attack`, one.attack, ['form']);
    requireNumber(`${label}.share`, one.share, 0, 1);
  }
  if (checker === undefined) return;
  requireObject('options.checker', checker, 'an object with onMessage, onOutput or both');
  const { onMessage, onOutput } = checker;
  if (onMessage === undefined && onOutput === undefined)
    throw new TypeError('options.checker: expected onMessage, onOutput or both, got neither');
  if (onMessage !== undefined) requireFunction('options.checker.onMessage', onMessage);
  if (onOutput !== undefined) requireFunction('options.checker.onOutput', onOutput);
}

/**
 * Checks a node created by an extension before the run uses the node. @throws TypeError unless the node has the methods
 * of every node.
 */
export function requireNode(id: number, node: ProtocolNode, extension: 'nodes' | 'around'): ProtocolNode {
  requireMethods(`options.${extension}' node ${id}`, node, ['start', 'onMessage', 'onTimer', 'onVerified']);
  return node;
}

/**
 * Returns an extension's network with a check of each latency. The returned network's `oneWayUs` throws RangeError for
 * an invalid time.
 */
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

/**
 * An aggregation scheme with all nodes' individual contributions, for a run in which one process simulates all nodes.
 */
export interface SimulatedScheme {
  readonly scheme: ForgingScheme;
  /** Returns the individual contribution of a node, retained once for the caller. */
  individual(id: number): Contribution;
}

/** Options of a run in addition to its scenario. */
export interface SimulationOptions extends Extensions {
  /**
   * Creates the run's aggregation scheme. This option is required for `scheme: 'bls'`, since the simulation package
   * contains no curve. Default: the counting scheme.
   */
  readonly scheme?: (tree: Tree, stakes?: Stakes) => SimulatedScheme;
  /** Keep a line of every step, or of some steps, for `Simulation.recording`. Default: false. */
  readonly record?: boolean | RecordingOptions;
  /** Check the paper's claims after every event and throw `CheckFailed` at the first violation. Default: false. */
  readonly checkers?: boolean;
  /**
   * Condition that ends the run. `threshold`, the default: every live node has produced an output. `fairness`: every
   * live node's output contains every live node's contribution (v1.03 section 2.4).
   */
  readonly until?: 'threshold' | 'fairness';
  /**
   * Memory of an earlier run, to be reused when there are many small runs. The earlier run must not be used afterwards.
   * Default: new memory.
   */
  readonly memory?: RunMemory;
  /**
   * Virtual time after which an unfinished run is stopped, ms. Default: 60,000 ms after the last start and the end of
   * the last temporary fault.
   */
  readonly giveUpAfterMs?: number;
}

/** Maximum virtual time of a run, ms. A recording's signed 32 bits of µs can represent 35 minutes. */
export const maxRunMs = 2_000_000;

/** Names of the options. Without a check against these names, a misspelt option would be ignored. */
const knownOptions: readonly (keyof SimulationOptions)[] = [
  'nodes',
  'around',
  'messageBytes',
  'network',
  'attacks',
  'checker',
  'scheme',
  'record',
  'checkers',
  'until',
  'memory',
  'giveUpAfterMs',
];

/**
 * Checks all options except `giveUpAfterMs`. @throws TypeError for a misspelt option, or a value of the wrong type;
 * RangeError for a value out of range.
 */
export function requireOptions(options: SimulationOptions): void {
  requireKnownFields('options', options, knownOptions);
  const { scheme, record = false, checkers = false, until = 'threshold', memory } = options;
  if (scheme !== undefined) requireFunction('options.scheme', scheme);
  if (typeof record !== 'boolean') {
    requireKnownFields('options.record', record, ['sends', 'setsUpTo']);
    requireIn('options.record.sends', record.sends ?? true, onOff);
  }
  requireIn('options.checkers', checkers, onOff);
  requireIn('options.until', until, oneOf(['threshold', 'fairness']));
  if (memory !== undefined) requireMethods('options.memory', memory, ['lend', 'reserve']);
  requireExtensions(options);
}
