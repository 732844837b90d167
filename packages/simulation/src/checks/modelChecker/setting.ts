import {
  type Branching,
  defaultHandelConfig,
  type HandelConfig,
  HandelNode,
  type HandelOptions,
  type Mechanism,
  ShiftedPriorities,
  Tree,
  type VerificationPriorities,
} from '@tutti/core';
import { Slab } from '@tutti/core/packed';
import {
  defaultsOf,
  handelSettings,
  integers,
  requireAllIn,
  requireIn,
  requireInteger,
  requireKnownFields,
  type SettingsOf,
  seedSetting,
  validateHandelConfig,
} from '@tutti/core/settings';
import { defaultScenario } from '../../scenario/scenario.ts';
import { scenarioTable } from '../../scenario/scenarioTable.ts';
import { createWorld, type World } from '../../world/world.ts';
import { maxNodes } from './codes.ts';

/**
 * The world to check, and what bounds it: time is abstract, so a node may be as fast and a message as late as it can
 * be.
 */
export interface ModelCheckerOptions {
  /** N, 2 to 4. */
  readonly nodes: number;
  /** Children of a subtree. Default 2. */
  readonly branching?: Branching;
  /** How many messages may be lost. Default 0. */
  readonly losses?: number;
  /** How often a message may arrive once more than it was sent. Default 0. */
  readonly repeats?: number;
  /** How often each node's dissemination timer may expire; there must be a limit. Default 1. */
  readonly timers?: number;
  /** How many nodes are Byzantine, 0 or 1; every node is tried. Default 0. */
  readonly byzantine?: number;
  /** How many messages the Byzantine node sends. Default 2. */
  readonly injections?: number;
  /**
   * A level starts after this many dissemination periods of a node for each tier below it. Default 1; with 0 all start
   * with the node.
   */
  readonly levelStartPeriods?: number;
  /** Contributions that an output must contain. Default: the number of honest nodes. */
  readonly threshold?: number;
  /** Draws the verification priorities. Default 1. */
  readonly seed?: number;
  /** How many contributions a node verifies together at most. Default 1. */
  readonly batch?: number;
  /** Whether nodes back off with nothing new to say. Default true. */
  readonly backOff?: boolean;
  /** Mechanisms of Handel that are switched off. */
  readonly without?: readonly Mechanism[];
  /** How many choices in a row are looked at. Default: as many as there are. */
  readonly depth?: number;
  /** The number of states to stop at; each takes some 300 bytes. Default 5 million. */
  readonly maxStates?: number;
  /** Makes a node. Default: the one that ships. To see that a broken one is caught. */
  readonly node?: (options: HandelOptions) => HandelNode;
}

/** What all ways through one check share. */
export interface ModelSetting {
  readonly options: Required<ModelCheckerOptions>;
  readonly config: HandelConfig;
  readonly priorities: VerificationPriorities;
  /** What the checkers know of the run: everybody is there from the beginning. */
  readonly world: World;
  readonly tree: Tree;
  /** Where the nodes' states lie. */
  readonly slab: Slab;
}

const fewTimes = integers(0, 15);

/** Settings of the model checker. The threshold's default is the number of honest nodes, up to all. */
export const modelCheckerSettings: SettingsOf<Omit<ModelCheckerOptions, 'node'>> = {
  branching: scenarioTable.branching,
  losses: { default: 0, range: fewTimes, about: 'messages that may be lost' },
  repeats: { default: 0, range: fewTimes, about: 'times that a message may be delivered again' },
  timers: { default: 1, range: fewTimes, about: "times that each node's dissemination timer may run out" },
  byzantine: { default: 0, range: integers(0, 1), about: 'Byzantine nodes, 0 or 1; each node is tried' },
  injections: { default: 2, range: fewTimes, about: 'messages that the Byzantine node makes up' },
  levelStartPeriods: { default: 1, range: fewTimes, about: 'periods of a node between the starts of its levels' },
  threshold: { default: maxNodes, range: integers(1, maxNodes), about: 'contributions that an output needs' },
  seed: { ...seedSetting, about: 'draws the verification priorities' },
  batch: handelSettings.batch,
  backOff: handelSettings.backOff,
  without: handelSettings.without,
  depth: { default: 255, range: integers(0, 255), about: 'choices in a row to look at' },
  maxStates: { default: 5_000_000, range: integers(1, 16_000_000), about: 'states to stop at' },
  nodes: { default: 3, range: integers(2, maxNodes), about: 'nodes' },
};

/** @throws RangeError naming the option, what was expected and what came. */
export function settingOf(given: ModelCheckerOptions): ModelSetting {
  const { nodes: _, ...standing } = defaultsOf(modelCheckerSettings);
  requireKnownFields('options', given, ['nodes', ...Object.keys(standing), 'node']);
  const { nodes, byzantine = standing.byzantine } = given;
  requireIn('nodes', nodes, modelCheckerSettings.nodes.range);
  requireIn('byzantine', byzantine, modelCheckerSettings.byzantine.range);
  const isHonest = byzantine === 0;
  const options: Required<ModelCheckerOptions> = {
    ...standing,
    injections: isHonest ? 0 : standing.injections,
    threshold: nodes - byzantine,
    node: (of) => new HandelNode(of),
    ...given,
  };
  // Without a Byzantine node there is nothing to be made up.
  if (isHonest) requireInteger('injections', options.injections, 0, 0);
  requireInteger('threshold', options.threshold, 1, nodes);
  requireAllIn(options, modelCheckerSettings);
  const config: HandelConfig = {
    ...defaultHandelConfig,
    threshold: options.threshold,
    levelStartMs: options.levelStartPeriods * defaultHandelConfig.disseminationPeriodMs,
    batch: options.batch,
    backOff: options.backOff,
    without: options.without,
  };
  validateHandelConfig(config, options.nodes);
  const { seed } = options;
  const priorities = new ShiftedPriorities(nodes, seed);
  const world = createWorld({ ...defaultScenario, nodes, network: 'constant:1' }, priorities);
  return {
    options,
    config,
    priorities,
    world: { ...world, threshold: options.threshold },
    tree: new Tree(nodes, 'spread', options.branching),
    slab: new Slab(),
  };
}
