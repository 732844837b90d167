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
import { checkHandelConfig, requireInteger, requireKnownFields, Slab } from '@tutti/core/internal';
import { defaultScenario } from '../../scenario/scenario.ts';
import { createWorld, type World } from '../../world/world.ts';
import { mostNodes } from './codes.ts';

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

const knownOptions: readonly (keyof ModelCheckerOptions)[] = [
  ...(['nodes', 'branching', 'losses', 'repeats', 'timers', 'byzantine', 'injections', 'levelStartPeriods'] as const),
  ...(['threshold', 'seed', 'batch', 'backOff', 'without', 'depth', 'maxStates', 'node'] as const),
];

/** @throws RangeError naming the option, what was expected and what came. */
export function settingOf(given: ModelCheckerOptions): ModelSetting {
  requireKnownFields('options', given, knownOptions);
  requireInteger('nodes', given.nodes, 2, mostNodes);
  const byzantine = given.byzantine ?? 0;
  requireInteger('byzantine', byzantine, 0, 1);
  const options: Required<ModelCheckerOptions> = {
    branching: 2,
    losses: 0,
    repeats: 0,
    timers: 1,
    byzantine,
    injections: byzantine === 0 ? 0 : 2,
    levelStartPeriods: 1,
    threshold: given.nodes - byzantine,
    seed: 1,
    batch: 1,
    backOff: true,
    without: [],
    depth: 255,
    maxStates: 5_000_000,
    node: (options) => new HandelNode(options),
    ...given,
  };
  requireInteger('losses', options.losses, 0, 15);
  requireInteger('repeats', options.repeats, 0, 15);
  requireInteger('timers', options.timers, 0, 15);
  requireInteger('injections', options.injections, 0, byzantine === 0 ? 0 : 15);
  requireInteger('levelStartPeriods', options.levelStartPeriods, 0, 15);
  requireInteger('seed', options.seed, 0, 2 ** 32 - 1);
  requireInteger('depth', options.depth, 0, 255);
  requireInteger('maxStates', options.maxStates, 1, 16_000_000);
  const config: HandelConfig = {
    ...defaultHandelConfig,
    threshold: options.threshold,
    levelStartMs: options.levelStartPeriods * defaultHandelConfig.disseminationPeriodMs,
    batch: options.batch,
    backOff: options.backOff,
    without: options.without,
  };
  checkHandelConfig(config, options.nodes);
  const { nodes, seed } = options;
  const priorities = new ShiftedPriorities(nodes, seed);
  const world = createWorld({ ...defaultScenario, nodes, network: 'constant:1', threshold: 1 }, priorities);
  return {
    options,
    config,
    priorities,
    world: { ...world, threshold: options.threshold },
    tree: new Tree(nodes, 'spread', options.branching),
    slab: new Slab(),
  };
}
