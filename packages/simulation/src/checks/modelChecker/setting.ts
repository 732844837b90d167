import {
  type Branching,
  defaultHandelConfig,
  type HandelConfig,
  HandelNode,
  type HandelOptions,
  handelSettings,
  type Mechanism,
  ShiftedPriorities,
  Tree,
  type VerificationPriorities,
  validateHandelConfig,
} from '@tutti/core';
import {
  defaultsOf,
  integers,
  requireAllIn,
  requireFunction,
  requireIn,
  requireInteger,
  requireKnownFields,
  type SettingsOf,
  seedSetting,
} from '@tutti/core/input';
import { Slab } from '@tutti/core/packed';
import { defaultScenario } from '../../scenario/scenario.ts';
import { scenarioTable } from '../../scenario/scenarioTable.ts';
import { createWorld, type World } from '../../world/world.ts';
import { maxNodes } from './codes.ts';

/**
 * The model to check, and its limits. Time is abstract: a node may be arbitrarily fast, and a message arbitrarily late.
 */
export interface ModelCheckerOptions {
  /** Number of nodes N, 2 to 4. */
  readonly nodes: number;
  /** Number of children of a subtree. Default: 2. */
  readonly branching?: Branching;
  /** Maximum number of lost messages. Default: 0. */
  readonly losses?: number;
  /** Maximum number of additional arrivals of messages. Default: 0. */
  readonly repeats?: number;
  /** Maximum number of expiries of each node's dissemination timer. Default: 1. */
  readonly timers?: number;
  /** Number of Byzantine nodes, 0 or 1. The checker tries every node as the Byzantine node. Default: 0. */
  readonly byzantine?: number;
  /** Maximum number of messages that the Byzantine node sends. Default: 2; 0 without a Byzantine node. */
  readonly injections?: number;
  /**
   * Delay of a level's start for each tier below the level, in the node's dissemination periods. With 0, all levels
   * start when the node starts. Default: 1.
   */
  readonly levelStartPeriods?: number;
  /** Number of contributions that an output must contain. Default: the number of honest nodes. */
  readonly threshold?: number;
  /** Seed of the verification priorities. Default: 1. */
  readonly seed?: number;
  /** Maximum number of contributions that a node verifies together. Default: 1. */
  readonly batch?: number;
  /** Whether nodes back off when they have nothing new to send. Default: true. */
  readonly backOff?: boolean;
  /** Mechanisms of Handel that are disabled. Default: none. */
  readonly without?: readonly Mechanism[];
  /** Maximum number of consecutive choices, 0 to 255. Default: 255. */
  readonly depth?: number;
  /** Number of states at which the check stops; each takes about 300 bytes. Default: 5 million. */
  readonly maxStates?: number;
  /** Creates a node. Default: a shipped node. A test uses a faulty node to see that the checker finds the fault. */
  readonly node?: (options: HandelOptions) => HandelNode;
}

/** Data that all paths of one check share. */
export interface ModelSetting {
  readonly options: Required<ModelCheckerOptions>;
  readonly config: HandelConfig;
  readonly priorities: VerificationPriorities;
  /** World of the run for the checkers: all nodes are present from the beginning. */
  readonly world: World;
  readonly tree: Tree;
  /** Slab of the nodes' states. */
  readonly slab: Slab;
}

const fewTimes = integers(0, 15);

/**
 * Settings of the model checker. The threshold's default is the number of honest nodes, and its maximum is the number
 * of all nodes.
 */
export const modelCheckerSettings: SettingsOf<Omit<ModelCheckerOptions, 'node'>> = {
  branching: scenarioTable.branching,
  losses: { default: 0, range: fewTimes, about: 'maximum number of lost messages' },
  repeats: { default: 0, range: fewTimes, about: 'maximum number of repeated deliveries' },
  timers: {
    default: 1,
    range: fewTimes,
    about: "maximum number of times that each node's dissemination timer expires",
  },
  byzantine: {
    default: 0,
    range: integers(0, 1),
    about: 'number of Byzantine nodes, 0 or 1; with 1, the checker tries each node',
  },
  injections: { default: 2, range: fewTimes, about: 'maximum number of messages that the Byzantine node sends' },
  levelStartPeriods: {
    default: 1,
    range: fewTimes,
    about: "delay of a level's start for each tier below the level, in dissemination periods",
  },
  threshold: {
    default: maxNodes,
    range: integers(1, maxNodes),
    about: 'contributions required for an output',
  },
  seed: { ...seedSetting, about: 'seed for the verification priorities' },
  batch: handelSettings.batch,
  backOff: handelSettings.backOff,
  without: handelSettings.without,
  depth: { default: 255, range: integers(0, 255), about: 'maximum depth of the search: number of consecutive choices' },
  maxStates: { default: 5_000_000, range: integers(1, 16_000_000), about: 'maximum number of states' },
  nodes: { default: 3, range: integers(2, maxNodes), about: 'nodes' },
};

/**
 * Checks the options and returns the data that all paths of the check share.
 *
 * @throws RangeError for a value out of its range; TypeError for an unknown option or a value of the wrong type.
 */
export function settingOf(given: ModelCheckerOptions): ModelSetting {
  const { nodes: _, ...defaults } = defaultsOf(modelCheckerSettings);
  requireKnownFields('options', given, ['nodes', ...Object.keys(defaults), 'node']);
  const { nodes, byzantine = defaults.byzantine } = given;
  requireIn('nodes', nodes, modelCheckerSettings.nodes.range);
  requireIn('byzantine', byzantine, modelCheckerSettings.byzantine.range);
  const isHonest = byzantine === 0;
  const options: Required<ModelCheckerOptions> = {
    ...defaults,
    injections: isHonest ? 0 : defaults.injections,
    threshold: nodes - byzantine,
    node: (of) => new HandelNode(of),
    ...given,
  };
  // Without a Byzantine node, no messages can be injected.
  if (isHonest) requireInteger('injections', options.injections, 0, 0);
  requireInteger('threshold', options.threshold, 1, nodes);
  requireAllIn(options, modelCheckerSettings);
  requireFunction('node', options.node);
  const config: HandelConfig = {
    ...defaultHandelConfig,
    threshold: options.threshold,
    levelStartMs: options.levelStartPeriods * defaultHandelConfig.disseminationPeriodMs,
    batch: options.batch,
    backOff: options.backOff,
    without: options.without,
  };
  validateHandelConfig(config, options.nodes);
  const priorities = new ShiftedPriorities(nodes, options.seed);
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
