import { defaultHornParameters, type HornSystem, scaledHornParameters } from '@tutti/core/horn';
import { integers, seedSetting } from '@tutti/core/input';
import {
  defaultSlotScenario,
  type MachineName,
  machineNames,
  machines,
  type SlotResult,
  type SlotScenario,
  type Summary,
  summaryOf,
} from '@tutti/ethereum';
import { keySumsSetting } from '@tutti/ethereum/settings';
import { drawRows, onPaper, wide } from '@tutti/lab/drawing';
import type { Context } from '../context.ts';
import { choice, countSetting, type FlagsOf, flag, seedsFlag, seedsFrom, setting } from '../flags.ts';
import { isCalibrated, runInPieces } from '../horn/simulateSlot.ts';
import { machineCosts } from '../horn/slotFlags.ts';
import { withoutProgressIf } from '../output/progress.ts';
import { postWorld, type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { counted, rowsTable, seedsText } from '../output/text.ts';
import {
  fieldsOverSeeds,
  type OverSeeds,
  rowsWithSeeds,
  runBySeed,
  spreadColumn,
  spreadMeaning,
  spreadText,
} from '../results/overSeeds.ts';
import { study } from './study.ts';

/** Systems whose verdict depends on the cost of verification. */
const systems = ['strawman', 'horn'] as const satisfies readonly HornSystem[];
/** Numbers of signatures verified together. */
const batches = [1, 64] as const;
/** Length of a full bar, in characters. */
const barLength = 25;

/** Results of one system on one machine. */
interface SensitivityRow {
  readonly machine: MachineName;
  readonly origin: 'measured' | 'derived';
  /** Number of signatures verified together. */
  readonly batch: number;
  /** Time to verify the signatures of a message, ms, and time of an addition, ns. */
  readonly verifyMs: number;
  readonly additionNs: number;
  readonly system: HornSystem;
  /** Share of the cast votes that are in the next proposer's reach at the end of the slot, percent. */
  readonly inReachPercent: number;
  /**
   * Overloaded topics, see `SlotResult.uncalibrated`. The number of votes in reach is calibrated only if no topic other
   * than the global topic is overloaded.
   */
  readonly uncalibrated: SlotResult['uncalibrated'];
  /** Time to verify all messages on the global topic, on one core, s. */
  readonly verificationSeconds: number;
}

/** Output of `tutti horn sensitivity --json`. */
export interface SensitivityDocument {
  readonly world: StatedWorld;
  readonly nodes: number;
  readonly seeds: readonly number[];
  readonly keySums: SlotScenario['keySums'];
  /** Costs do not depend on the seed; results are summarised over seeds. */
  readonly rows: readonly (Omit<SensitivityRow, OfSeed> & OverSeeds<Pick<SensitivityRow, OfSeed>>)[];
}

const ofSeed = ['inReachPercent', 'uncalibrated', 'verificationSeconds'] as const;
type OfSeed = (typeof ofSeed)[number];

/** Results of each system on each machine, one per seed. */
interface Found extends Omit<SensitivityDocument, 'rows'> {
  readonly groups: readonly (readonly SensitivityRow[])[];
}

const flags = {
  nodes: countSetting({ default: 2 ** 20, range: integers(512, 2 ** 20), about: 'validators' }),
  machine: flag('<name>', `one of ${machineNames.join(', ')} (default: all)`, choice(machineNames)),
  keySums: { ...setting(keySumsSetting), about: "method of summing a collection's keys: naive or subtracting" },
  seed: setting(seedSetting),
  seeds: seedsFlag(1),
};

export const hornSensitivity = study({
  name: 'sensitivity',
  about:
    'Simulate the strawman and Horn on each machine, with single and with batched verification of signatures, and show the effect of each on the verdict.',
  flags,
  short: { nodes: 'n' },
  find: runOf,
  document: ({ groups, ...of }) => ({ ...of, rows: groups.map((group) => fieldsOverSeeds(group, ofSeed)) }),
  rows: studyRows,
  text,
  draw: drawing,
});

async function runOf(
  { nodes, keySums, machine, seed: first, seeds: count }: FlagsOf<typeof flags>,
  context: Context,
): Promise<Found> {
  const parameters = scaledHornParameters(nodes, defaultHornParameters);
  const seeds = seedsFrom(first, count);
  const cells = (machine === undefined ? machineNames : [machine]).flatMap((name) =>
    batches.flatMap((batch) => systems.map((system) => ({ machine: name, batch, system }))),
  );
  const run = async (cell: (typeof cells)[number], seed: number): Promise<SensitivityRow> => {
    const costs = machineCosts({ machine: cell.machine, batch: cell.batch, keySums });
    const scenario: SlotScenario = { ...defaultSlotScenario, ...costs, system: cell.system, parameters, seed };
    const slot = await runInPieces(
      scenario,
      'statistical',
      withoutProgressIf(() => true, context),
    );
    const { votes, uncalibrated, verificationSeconds } = slot.result();
    return {
      ...cell,
      origin: machines[cell.machine].origin,
      verifyMs: costs.verifyMs,
      additionNs: costs.additionNs,
      inReachPercent: (100 * votes.inReach) / votes.cast,
      uncalibrated,
      verificationSeconds: verificationSeconds.total,
    };
  };
  const groups = await runBySeed(cells, seeds, run, 'slots', context);
  const { slotSeconds, rounds } = parameters;
  const world = postWorld({
    validators: nodes,
    seeds,
    network: defaultSlotScenario.network,
    attestMs: (1000 * slotSeconds) / rounds,
    machine: machine === undefined ? 'one core of the machine named in the row' : `one core of ${machine}`,
    also: [`${keySums} sums of keys`],
  });
  return { world, nodes, seeds, keySums, groups };
}

/** Returns rows with the same column names as in other studies of slots. */
function studyRows({ nodes, seeds, keySums, groups }: Found): object[] {
  return rowsWithSeeds(groups, seeds).map(({ system, machine, origin, batch, seed, ...row }) => ({
    ...{ preset: system, validators: nodes, seed, machine, machineOrigin: origin, batch, keySums },
    ...row,
  }));
}

function together(batch: number): string {
  return batch === 1 ? 'singly' : `${batch} together`;
}

/** Returns the groups of one system, beginning with the slowest verification. */
function slowestFirst(groups: Found['groups'], system: (typeof systems)[number]): Found['groups'] {
  return groups.filter(([row]) => row!.system === system).toSorted(([a], [b]) => b!.verifyMs - a!.verifyMs);
}

/** Returns the share of the votes in reach over the seeds of a group, percent. */
function reachOf(group: readonly SensitivityRow[]): Summary {
  return summaryOf(group.map(({ inReachPercent }) => inReachPercent));
}

function drawing({ nodes, keySums, seeds, groups }: Found): string {
  const drawn = systems.map((system) => ({
    name: system === 'horn' ? 'Horn' : 'strawman',
    points: slowestFirst(groups, system).map((group) => {
      const { min, mean, max } = reachOf(group);
      const { machine, batch } = group[0]!;
      return { x: `${machine}, ${together(batch)}`, y: { min, mean, max }, live: 1, reached: 1 };
    }),
  }));
  const title = `Votes in reach when the slot ends: ${counted(nodes, 'validator')}, ${keySums} sums of keys, ${seedsText(seeds)}`;
  const left = { label: 'of the votes cast', unit: '%', scale: 'linear' } as const;
  return onPaper([{ title, drawing: drawRows({ left, drawn }, wide) }], title);
}

function text({ world, groups }: Found): string {
  const sorted = systems.flatMap((system) => slowestFirst(groups, system));
  const isKnown = (group: readonly SensitivityRow[]) => group.every(({ uncalibrated }) => isCalibrated(uncalibrated));
  const table = rowsTable<readonly SensitivityRow[]>(sorted, [
    ['', ([row]) => row!.system],
    ['machine', ([row]) => `${row!.machine}${row!.origin === 'derived' ? '*' : ''}`],
    ['signatures', ([row]) => together(row!.batch)],
    ['ms each', ([row]) => row!.verifyMs, 3],
    ['ns per addition', ([row]) => row!.additionNs],
    spreadColumn('verifying, s', ({ verificationSeconds }) => verificationSeconds, 2),
    ['in reach at slot end, %', (group) => `${isKnown(group) ? '' : 'about '}${spreadText(reachOf(group), 1)}`],
    ['of the votes', (group) => '#'.repeat(Math.round((barLength * reachOf(group).mean) / 100)).padEnd(barLength, '.')],
  ]);
  const about = groups.every(isKnown)
    ? ''
    : ' "About" marks a slot in which a round before the last is overloaded, so that the losses are not calibrated.';
  return `${table}\n${spreadMeaning} * On this machine only the addition was measured.${about}\n${worldLine(world)}\n`;
}
