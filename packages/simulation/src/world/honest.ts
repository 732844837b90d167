import {
  type AggregationScheme,
  CompleteGraphNode,
  type Contribution,
  createMesh,
  GossipOfAggregatesNode,
  GossipOfIndividualsNode,
  type HandelConfig,
  HandelMemory,
  HandelNode,
  IndependentPriorities,
  type Port,
  type ProtocolNode,
  paperWindow,
  type Quorum,
  relativeWindow,
  SanFerminNode,
  ShiftedPriorities,
  Tree,
  type VerificationPriorities,
  WeightedPriorities,
  type WindowRanks,
  windowRanks,
} from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import { signerIdBytes } from '@tutti/core/packed';
import { RunMemory } from '../engine/runMemory.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { stakesOf } from '../scenario/weights.ts';

/** Windows that a scenario can have. */
const windows = { relative: relativeWindow, paper: paperWindow };

/** Returns the limits of the windows of the nodes in a scenario. */
export function windowOf({ window, nodes }: Scenario, { span }: VerificationPriorities): WindowRanks {
  return windowRanks(windows[window], nodes, span);
}

/** Creates the nodes in a run that follow the run's protocol. */
export type HonestNodes = (id: number, own: Contribution, port: Port) => ProtocolNode;

/**
 * Returns the verification priorities of a scenario.
 * @param stakes the stakes of the nodes. Default: the stakes in the scenario.
 */
export function createPriorities(scenario: Scenario, stakes = stakesOf(scenario)): VerificationPriorities {
  const { priorities, prioritiesBy, nodes, seed, tree } = scenario;
  if (prioritiesBy === 'weight' && stakes?.areEqual === false)
    return new WeightedPriorities(new Tree(nodes, tree), stakes, seed);
  const Priorities = priorities === 'shifted' ? ShiftedPriorities : IndependentPriorities;
  return new Priorities(nodes, seed, tree);
}

/** Data from which the honest nodes of a run are created, by the run or by an extension. */
export interface NodeSetting {
  readonly scenario: Scenario;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** Number of contributions required in an output. */
  readonly threshold: number;
  /** Additional minimum weight of an output's signers; undefined if all nodes have the same weight. */
  readonly quorum?: Quorum | undefined;
}

/**
 * Returns a function that creates the honest nodes of a scenario's protocol.
 *
 * @param runMemory memory for the nodes' state. Default: new memory.
 */
export function honestNodes(setting: NodeSetting, runMemory = new RunMemory()): HonestNodes {
  const { scenario, scheme, priorities, threshold, quorum } = setting;
  switch (scenario.protocol) {
    case 'handel': {
      const config = configOf(scenario, threshold);
      const slab = runMemory.reserve(scenario.nodes * intsOfNode(scenario));
      const memory = new HandelMemory({ config, scheme, priorities, quorum }, slab);
      return (id, own, port) => new HandelNode({ id, config, scheme, priorities, quorum, own, port, memory });
    }
    case 'complete-graph': {
      const { verification } = scenario.completeGraph;
      return (id, own, port) => new CompleteGraphNode({ id, scheme, threshold, quorum, verification, own, port });
    }
    case 'san-fermin': {
      const settings = scenario.sanFermin;
      return (id, own, port) => new SanFerminNode({ id, scheme, threshold, ...settings, own, port });
    }
    case 'gossip': {
      const mesh = createMesh(scenario.nodes, scenario.gossip.degree, scenario.seed);
      if (scenario.gossip.of === 'individuals') {
        return (id, own, port) => new GossipOfIndividualsNode({ id, scheme, threshold, mesh, own, port });
      }
      const { periodMs } = scenario;
      return (id, own, port) => new GossipOfAggregatesNode({ id, scheme, threshold, mesh, periodMs, own, port });
    }
  }
}

/**
 * Returns a generous estimate of the integers of a node's state, so that the slab need not be copied as it grows.
 * Numbers measured on AWS: 230 to 400 for N = 1,024 to 16,384, and 1,060 for N = 16,384 if a fifth of the nodes are
 * dead, since nodes then store individual contributions throughout.
 */
function intsOfNode({ dead, absent, faults, attacks }: Scenario): number {
  return dead > 0 || absent > 0 || faults.length > 0 || attacks.length > 0 ? 2048 : 1024;
}

/**
 * Returns the number of bytes in each message of a protocol beyond those common to all protocols: gossip of individual
 * contributions names the signer.
 */
export function extraBytes({ protocol, gossip }: Scenario): number {
  return protocol === 'gossip' && gossip.of === 'individuals' ? signerIdBytes : 0;
}

/**
 * Returns the parameters of Handel's nodes in a run of a scenario. The simulation passes the parameters to its own
 * nodes, and a variant of Handel can start from the same parameters.
 *
 * @param threshold number of contributions that an output must contain, 1 to N, as in `NodeSetting`.
 * @returns all parameters, including those with default values.
 */
export function configOf(scenario: Scenario, threshold: number): Required<HandelConfig> {
  requireObject('scenario', scenario);
  // The fields are written one by one. A spread would give the object of each run a different shape, and the engine
  // would discard the code that it compiled for the previous shape.
  return {
    threshold,
    disseminationPeriodMs: scenario.periodMs,
    levelStartMs: scenario.levelStartMs,
    fastPathPeers: scenario.fastPath,
    backOff: scenario.backOff,
    batch: scenario.batch,
    window: windows[scenario.window],
    without: scenario.without,
  };
}
