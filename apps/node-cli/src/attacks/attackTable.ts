import { defaultScenario, type RunResult, type Scenario } from '@tutti/simulation';
import { attacks, choosesIds, worstFinds } from '@tutti/simulation/attacks';

/** An attack as the table names it. */
export interface TableAttack {
  readonly label: string;
  readonly name: string;
  readonly plan?: string;
}

/** Every attack on Handel in the house, silence apart, and the worst that the search found. */
const tableAttacks: readonly TableAttack[] = [
  ...attacks
    .filter(({ name, against }) => against.includes('handel') && name !== 'silent')
    .map(({ name }) => ({ label: name, name })),
  ...worstFinds.map(({ plan }) => ({ label: plan, name: 'across-levels', plan })),
];

/**
 * It delays messages and spends no verification: its time is the network's, and no rule for choosing what to verify can
 * bear on it.
 */
const networkAttack = 'delay';

/** The attacks that the claim is not about: the network's, and those by ids that are chosen rather than drawn. */
export const notJudged: readonly string[] = tableAttacks
  .filter(({ name, plan }) => name === networkAttack || choosesIds(name, plan))
  .map(({ label }) => label);

/**
 * How many times as long as under silence honest nodes may take on average with that share of Byzantine nodes (our
 * limit; the paper gives none).
 */
export function mostTimes(share: number): number {
  return share <= 0.3 ? 1.5 : 2;
}

/** The same of the worst honest node: when the last one is done, beside the last one among silent nodes. */
export function mostTimesLast(share: number): number {
  return share <= 0.3 ? 2 : 3;
}

function attackScenario(
  attack: Pick<TableAttack, 'name' | 'plan'>,
  nodes: number,
  share: number,
  seed: number,
): Scenario {
  const { name, plan } = attack;
  return { ...defaultScenario, nodes, seed, attacks: [{ name, share, ...(plan === undefined ? {} : { plan }) }] };
}

/** A cell: means over the seeds. */
export interface AttackCell {
  readonly attack: string;
  readonly nodes: number;
  readonly share: number;
  /** Over the honest nodes. */
  readonly meanMs: number;
  readonly maxMs: number;
  readonly stuck: number;
  /** The mean beside that of silence, and the last node's time beside the last one's there. */
  readonly times: number;
  readonly timesLast: number;
}

export interface TableRequest {
  readonly nodes: readonly number[];
  readonly shares: readonly number[];
  readonly seeds: readonly number[];
}

/** The scenarios of a table: silence first. */
export function tableScenarios({ nodes, shares, seeds }: TableRequest): Scenario[] {
  return [{ name: 'silent' }, ...tableAttacks].flatMap((attack) =>
    nodes.flatMap((size) => shares.flatMap((share) => seeds.map((seed) => attackScenario(attack, size, share, seed)))),
  );
}

/** @param find the result of a scenario's run. */
export function tableCells(
  { nodes, shares, seeds }: TableRequest,
  find: (scenario: Scenario) => RunResult,
): AttackCell[] {
  const measure = (attack: Pick<TableAttack, 'name' | 'plan'>, size: number, share: number) => {
    const runs = seeds.map((seed) => find(attackScenario(attack, size, share, seed)));
    return {
      meanMs: runs.reduce((sum, run) => sum + run.timeToThresholdMs.mean, 0) / runs.length,
      maxMs: Math.max(...runs.map((run) => run.timeToThresholdMs.max)),
      stuck: runs.reduce((sum, run) => sum + run.live - run.reached, 0),
    };
  };
  return shares.flatMap((share) =>
    nodes.flatMap((size) => {
      const silent = measure({ name: 'silent' }, size, share);
      const cells = tableAttacks.map((attack) => {
        const measured = measure(attack, size, share);
        const times = measured.meanMs / silent.meanMs;
        return {
          attack: attack.label,
          nodes: size,
          share,
          ...measured,
          times,
          timesLast: measured.maxMs / silent.maxMs,
        };
      });
      return [{ attack: 'silent', nodes: size, share, ...silent, times: 1, timesLast: 1 }, ...cells];
    }),
  );
}

/**
 * Cells that break the claim: somebody stuck, or, in an attack that is judged, a mean of more than {@link mostTimes}
 * that of silence or a last node later than {@link mostTimesLast} allows.
 */
export function brokenCells(cells: readonly AttackCell[]): AttackCell[] {
  return cells.filter(
    ({ attack, stuck, times, timesLast, share }) =>
      stuck > 0 || (!notJudged.includes(attack) && (times > mostTimes(share) || timesLast > mostTimesLast(share))),
  );
}
