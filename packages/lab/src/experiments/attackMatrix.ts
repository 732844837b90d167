import { expected, oneOf, requireArray, requireIn, requireObject } from '@tutti/core/input';
import {
  type AttackShare,
  attackNamed,
  confidenceInterval,
  defaultScenario,
  type Interval,
  type Scenario,
  simulate,
} from '@tutti/simulation';
import { type RaceProtocol, raceScenario } from './race.ts';

/** Protocol under attack: Handel, Handel without one of its mechanisms, or a baseline. */
export interface MatrixRow {
  readonly id: string;
  /** Scenario of the row's runs, without an attack. */
  readonly scenario: Scenario;
}

/** Number of nodes, on AWS, and the share of attackers, as in the page's story. */
const nodes = 64;
const share = 0.3;
/** Virtual time after which a run with unfinished nodes counts as unfinished, ms. */
export const matrixGiveUpMs = 4000;

const handel: Scenario = { ...defaultScenario, nodes };
const mechanisms = [
  'window',
  'score',
  'rank-growth',
  'blacklist',
  'individual-contributions',
  'bounded-queue',
  'level-flag',
] as const;
const baselines: readonly RaceProtocol[] = ['san-fermin', 'complete-graph', 'complete-graph-bulk', 'gossip'];

/** Rows of the matrix: protocols under attack. */
export const matrixRows: readonly MatrixRow[] = [
  { id: 'handel', scenario: handel },
  ...mechanisms.map((id) => ({ id, scenario: { ...handel, without: [id] } })),
  { id: 'fast-path', scenario: { ...handel, fastPath: 0 } },
  { id: 'level-starts', scenario: { ...handel, levelStartMs: 0 } },
  ...baselines.map((id) => ({ id, scenario: raceScenario(id, nodes) })),
];

/** Columns of the matrix: attacks, and `none`. */
export const matrixAttacks = [
  'none',
  'silent',
  'invalid',
  'worthless',
  'censor',
  'mixed',
  'flood',
  'equivocate',
] as const;
/** One of {@link matrixAttacks}. */
export type MatrixAttack = (typeof matrixAttacks)[number];

/** Returns the scenario of a cell with a seed; undefined if the row's protocol does not have the attack. */
export function matrixScenario(row: MatrixRow, attack: MatrixAttack, seed: number): Scenario | undefined {
  requireObject('row', row);
  const { scenario } = row;
  requireObject('row.scenario', scenario);
  requireIn('attack', attack, oneOf(matrixAttacks));
  if (attack !== 'none' && !attackNamed(attack)!.against.includes(scenario.protocol)) return undefined;
  const attacks: readonly AttackShare[] = attack === 'none' ? [] : [{ name: attack, share }];
  return { ...scenario, attacks, seed };
}

/** A mean with its 95 % confidence interval. */
export interface MeanInterval extends Interval {
  readonly mean: number;
}

/** Costs of a mechanism or a baseline under an attack, over several seeds. */
export interface MatrixCell {
  readonly row: string;
  readonly attack: MatrixAttack;
  /**
   * Time until the last honest node has finished, ms, over the runs in which all honest nodes finish; undefined if
   * there are fewer than two such runs.
   */
  readonly lastMs: MeanInterval | undefined;
  /** Means over the honest nodes of a run. */
  readonly checks: MeanInterval;
  readonly bytes: MeanInterval;
  /** Number of runs in which at least one honest node did not finish within {@link matrixGiveUpMs}. */
  readonly unfinished: number;
  /** Digest of the run with the first seed. */
  readonly digest: string;
}

/**
 * Simulates a cell once per seed. @param seeds at least two. @returns undefined if the row's protocol does not have the
 * attack. @throws RangeError for fewer seeds.
 */
export function matrixCell(row: MatrixRow, attack: MatrixAttack, seeds: readonly number[]): MatrixCell | undefined {
  requireArray('seeds', seeds);
  if (seeds.length < 2) throw new RangeError(expected('seeds', 'at least 2 seeds', seeds.length));
  const runs = seeds.flatMap((seed) => {
    const scenario = matrixScenario(row, attack, seed);
    return scenario === undefined ? [] : [simulate(scenario, { giveUpAfterMs: matrixGiveUpMs })];
  });
  if (runs.length === 0) return undefined;
  const finished = runs.filter(({ reached, live }) => reached === live);
  return {
    row: row.id,
    attack,
    lastMs: finished.length < 2 ? undefined : meanOf(finished.map(({ timeToThresholdMs }) => timeToThresholdMs.max)),
    checks: meanOf(runs.map(({ checked }) => checked.mean)),
    bytes: meanOf(runs.map(({ bytesSent }) => bytesSent.mean)),
    unfinished: runs.length - finished.length,
    digest: runs[0]!.digest,
  };
}

/** Returns the mean. @param values at least two. */
function meanOf(values: readonly number[]): MeanInterval {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, ...confidenceInterval(values)! };
}
