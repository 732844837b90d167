import { requireArray, requireObject } from '@tutti/core/settings';
import {
  type AttackShare,
  confidenceInterval,
  defaultScenario,
  type Interval,
  type Scenario,
  simulate,
} from '@tutti/simulation';
import { type RaceProtocol, raceScenario } from './race.ts';

/** What is attacked: Handel, Handel without one of its mechanisms, or a baseline. */
export interface MatrixRow {
  readonly id: string;
  /** The row's runs, without an attack. */
  readonly scenario: Scenario;
}

/** 64 nodes on AWS, of which three in ten attack: as the page's story has it. */
const nodes = 64;
const share = 0.3;
/** A run in which somebody is not done after this virtual time counts as one that never ends, ms. */
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

export const matrixRows: readonly MatrixRow[] = [
  { id: 'handel', scenario: handel },
  ...mechanisms.map((id) => ({ id, scenario: { ...handel, without: [id] } })),
  { id: 'fast-path', scenario: { ...handel, fastPath: 0 } },
  { id: 'level-starts', scenario: { ...handel, levelStartMs: 0 } },
  ...baselines.map((id) => ({ id, scenario: raceScenario(id, nodes) })),
];

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
export type MatrixAttack = (typeof matrixAttacks)[number];
/** The attacks that the baselines' papers leave room for. */
const againstBaselines: readonly MatrixAttack[] = ['none', 'silent', 'invalid', 'flood', 'equivocate'];

/** The run of a cell with a seed; undefined where a baseline leaves the attack no room. */
export function matrixScenario(row: MatrixRow, attack: MatrixAttack, seed: number): Scenario | undefined {
  requireObject('row', row);
  const { id, scenario } = row;
  if (baselines.includes(id as RaceProtocol) && !againstBaselines.includes(attack)) return undefined;
  const attacks: readonly AttackShare[] = attack === 'none' ? [] : [{ name: attack, share }];
  return { ...scenario, attacks, seed };
}

/** A mean, and where it lies with 95 % confidence. */
export interface MeanInterval extends Interval {
  readonly mean: number;
}

/** What a mechanism or a baseline costs under an attack, over several seeds. */
export interface MatrixCell {
  readonly row: string;
  readonly attack: MatrixAttack;
  /** Until the last honest node was done, ms, over the runs in which all were; undefined where there are too few. */
  readonly lastMs: MeanInterval | undefined;
  /** Means over the honest nodes of a run. */
  readonly checks: MeanInterval;
  readonly bytes: MeanInterval;
  /** Runs in which somebody was never done. */
  readonly unfinished: number;
  /** Of the run with the first seed. */
  readonly digest: string;
}

/** Runs a cell once for each seed, at least two. Undefined where a baseline leaves the attack no room. */
export function matrixCell(row: MatrixRow, attack: MatrixAttack, seeds: readonly number[]): MatrixCell | undefined {
  requireArray('seeds', seeds);
  const runs = seeds.flatMap((seed) => {
    const scenario = matrixScenario(row, attack, seed);
    return scenario === undefined ? [] : [simulate(scenario, { giveUpAfterMs: matrixGiveUpMs })];
  });
  if (runs.length < 2) return undefined;
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

/** @param values at least two. */
function meanOf(values: readonly number[]): MeanInterval {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, ...confidenceInterval(values)! };
}
