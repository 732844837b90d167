import { attackLimits, networkAttack } from '@tutti/lab';
import { attacks, choosesIds, defaultScenario, type RunResult, type Scenario, worstFinds } from '@tutti/simulation';

/** A row of the table: a label, and an attack with its plan. */
interface TableAttack {
  readonly label: string;
  readonly name: string;
  readonly plan?: string;
}

/** All attacks on Handel, silence first, and the worst plans that the search found. */
const tableAttacks: readonly TableAttack[] = [
  ...attacks.filter(({ against }) => against.includes('handel')).map(({ name }) => ({ label: name, name })),
  ...worstFinds.map(({ plan }) => ({ label: plan, name: 'across-levels', plan })),
];

/**
 * Labels of the attacks that the claim does not cover: the attack on the network, and attacks whose nodes choose their
 * ids.
 */
export const notJudged: readonly string[] = tableAttacks
  .filter(({ name, plan }) => name === networkAttack || choosesIds(name, plan))
  .map(({ label }) => label);

/** Network, size and share of a table cell. */
type CellOf = Pick<Scenario, 'nodes' | 'network'> & { readonly share: number };

function attackScenario(
  { name, plan }: Pick<TableAttack, 'name' | 'plan'>,
  { share, ...of }: CellOf,
  seed: number,
): Scenario {
  return { ...defaultScenario, ...of, seed, attacks: [{ name, share, ...(plan !== undefined && { plan }) }] };
}

/** Results of one attack, size and share over all seeds. */
export interface AttackCell {
  readonly attack: string;
  readonly nodes: number;
  readonly share: number;
  /** Mean time to the threshold over the honest nodes, ms. */
  readonly meanMs: number;
  /** Time to the threshold of the slowest honest node over all seeds, ms. */
  readonly maxMs: number;
  /** Number of honest nodes that did not reach the threshold, over all seeds. */
  readonly stuck: number;
  /** Ratio of `meanMs` to the same time with silent nodes without back-off. */
  readonly times: number;
  /** Ratio of `maxMs` to the same time with silent nodes without back-off. */
  readonly timesLast: number;
}

interface TableRequest {
  readonly nodes: readonly number[];
  readonly shares: readonly number[];
  readonly seeds: readonly number[];
  readonly network: string;
}

/**
 * Returns the silent scenario with which the claim compares an attack. This scenario has no back-off, because back-off
 * may also delay nodes among silent ones and would hide the cost of an attack.
 */
function silenceScenario(of: CellOf, seed: number): Scenario {
  return { ...attackScenario({ name: 'silent' }, of, seed), backOff: false };
}

/** Label of the row with which the claim compares attacks. */
const silenceLabel = 'silent, back-off off';

/** Returns the scenarios of a table, silence first. */
export function tableScenarios({ nodes: sizes, shares, seeds, network }: TableRequest): Scenario[] {
  const rows = [
    silenceScenario,
    ...tableAttacks.map((attack) => (of: CellOf, seed: number) => attackScenario(attack, of, seed)),
  ];
  return rows.flatMap((scenarioOf) =>
    sizes.flatMap((nodes) =>
      shares.flatMap((share) => seeds.map((seed) => scenarioOf({ nodes, network, share }, seed))),
    ),
  );
}

/**
 * Returns the cells of a table.
 *
 * @param find returns the result of a scenario's run.
 */
export function tableCells(
  { nodes: sizes, shares, seeds, network }: TableRequest,
  find: (scenario: Scenario) => RunResult,
): AttackCell[] {
  const measure = (scenarioOf: (seed: number) => Scenario) => {
    const runs = seeds.map((seed) => find(scenarioOf(seed)));
    return {
      meanMs: runs.reduce((sum, run) => sum + run.timeToThresholdMs.mean, 0) / runs.length,
      maxMs: Math.max(...runs.map((run) => run.timeToThresholdMs.max)),
      stuck: runs.reduce((sum, run) => sum + run.live - run.reached, 0),
    };
  };
  return shares.flatMap((share) =>
    sizes.flatMap((nodes) => {
      const of: CellOf = { nodes, network, share };
      const silent = measure((seed) => silenceScenario(of, seed));
      const cells = tableAttacks.map((attack) => {
        const measured = measure((seed) => attackScenario(attack, of, seed));
        const times = measured.meanMs / silent.meanMs;
        return { attack: attack.label, nodes, share, ...measured, times, timesLast: measured.maxMs / silent.maxMs };
      });
      return [{ attack: silenceLabel, nodes, share, ...silent, times: 1, timesLast: 1 }, ...cells];
    }),
  );
}

/**
 * Returns the cells that break the claim. In such a cell, at least one node never reached the threshold. A cell also
 * breaks the claim if, under an attack that the claim covers, the mean time or the last node's time exceeds its
 * {@link attackLimits}.
 */
export function brokenCells(cells: readonly AttackCell[]): AttackCell[] {
  return cells.filter(({ attack, stuck, times, timesLast, share }) => {
    const { mean, last } = attackLimits(share);
    return stuck > 0 || (!notJudged.includes(attack) && (times > mean || timesLast > last));
  });
}
