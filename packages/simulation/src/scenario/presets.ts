import { paperHandelConfig } from '@tutti/core';
import { defaultScenario } from './scenario.ts';
import type { Scenario } from './scenarioType.ts';

/**
 * Nimiq's validators and their network. The validators share the 512 slots of a block in proportion to their stake; the
 * quorum is 342 slots, a share of 0.668. The number of validators varies; Nimiq's blog mentions more than 70 in the
 * first year.
 */
const nimiqValidators = {
  nodes: 70,
  tree: 'packed',
  weights: 'pareto:1.2',
  prioritiesBy: 'id',
  threshold: 0.668,
  network: 'cities',
  backOff: false,
} as const;

/**
 * Scenarios of systems, by name, as far as a scenario can represent them; docs/research/nimiq-and-alpenglow.md lists
 * the differences.
 *
 * - `paper`: Handel as v1.03 describes it, without this project's divergences (docs/concepts/handel.md).
 * - `nimiq`: Handel as deployed in production (nimiq/core-rs-albatross@5c7c54c6): 400 ms between levels, 500 ms between
 *   updates, two peers at once on a complete level. Nimiq's version has no window and no limit on waiting
 *   contributions; the level whose contribution adds most goes first.
 * - `nimiq-paper`: the paper's Handel with the validators and the network of `nimiq`.
 * - `alpenglow`: every node sends its vote to every node (qkniep/alpenglow@629b8750). The stakes in `alpenglow` are the
 *   50 largest in Solana's epoch 860, in thousands of SOL. Verification in `alpenglow` takes no time.
 */
export const scenarioPresets = {
  paper: {
    ...defaultScenario,
    priorities: 'independent',
    tree: 'packed',
    window: 'paper',
    backOff: paperHandelConfig.backOff,
    without: paperHandelConfig.without,
  },
  nimiq: {
    ...defaultScenario,
    ...nimiqValidators,
    levelStartMs: 400,
    periodMs: 500,
    fastPath: 2,
    without: ['window', 'rank-growth', 'bounded-queue', 'level-flag', 'rank-between-levels'],
  },
  'nimiq-paper': { ...defaultScenario, ...nimiqValidators, window: 'paper' },
  alpenglow: {
    ...defaultScenario,
    protocol: 'complete-graph',
    nodes: 50,
    weights:
      '13828,13244,10898,10869,8958,8433,8402,6861,6767,6169,5949,5219,5066,4771,4367,4137,4111,4088,3782,3767,3767,3743,3708,3598,3391,3344,3339,2988,2917,2900,2689,2535,5x2502,5x2500,2409,2328,2323,2284,2234,2183,2083,2023',
    threshold: 0.8,
    network: 'cities',
    verifyMs: 0,
  },
} as const satisfies Readonly<Record<string, Scenario>>;
/** Name of one of the {@link scenarioPresets}. */
export type ScenarioPreset = keyof typeof scenarioPresets;
