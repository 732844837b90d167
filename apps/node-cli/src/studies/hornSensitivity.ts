import { defaultHornParameters, type HornSystem, scaledHornParameters } from '@tutti/core/horn';
import { seedSetting } from '@tutti/core/settings';
import {
  defaultSlotScenario,
  type MachineName,
  machineNames,
  machines,
  type SlotResult,
  type SlotScenario,
} from '@tutti/ethereum';
import { keySumsSetting } from '@tutti/ethereum/settings';
import { drawRows, onPaper, wide } from '@tutti/lab/drawing';
import type { Context } from '../context.ts';
import { choice, type FlagsOf, flag, integer, setting } from '../flags.ts';
import { machineCosts } from '../horn/machineFlags.ts';
import { validated } from '../horn/parameterFlags.ts';
import { isCalibrated, runInPieces } from '../horn/simulateSlot.ts';
import { counted, grouped } from '../numbers.ts';
import { Counter } from '../output/progress.ts';
import { rowsTable } from '../output/tables.ts';
import { study } from './study.ts';

/** Systems whose verdict depends on the cost of verification. */
const systems = ['strawman', 'horn'] as const satisfies readonly HornSystem[];
/** Numbers of signatures verified together. */
const batches = [1, 64] as const;
/** Length of a full bar in characters. */
const barLength = 25;

/** One system on one machine. */
export interface SensitivityRow {
  readonly machine: MachineName;
  readonly origin: 'measured' | 'derived';
  /** Number of signatures verified together. */
  readonly batch: number;
  /** Time of a message's signatures, ms, and of an addition, ns. */
  readonly verifyMs: number;
  readonly additionNs: number;
  readonly system: HornSystem;
  /** Percentage of the votes cast in the next proposer's reach when the slot ends. */
  readonly inReachPercent: number;
  /**
   * Overloaded topics, see `SlotResult.uncalibrated`. Unless only the global one is, the votes in reach were not
   * calibrated.
   */
  readonly uncalibrated: SlotResult['uncalibrated'];
  /** Time to verify all messages on the global topic, on one core, s. */
  readonly verificationSeconds: number;
}

/** Output of `tutti horn sensitivity --json`. */
export interface SensitivityDocument {
  readonly nodes: number;
  readonly seed: number;
  readonly keySums: SlotScenario['keySums'];
  readonly rows: readonly SensitivityRow[];
}

const flags = {
  nodes: flag('<n>', 'validators, 512 to 1048576', integer(512, 2 ** 20), 2 ** 20),
  machine: flag('<name>', `one of ${machineNames.join(', ')} (default: all)`, choice(machineNames)),
  keySums: { ...setting(keySumsSetting), about: "how a collection's key is summed: naive or subtracting" },
  seed: setting(seedSetting),
};

export const hornSensitivity = study({
  name: 'sensitivity',
  about:
    'Run the strawman and Horn on each machine, with signatures verified singly and together: what the verdict depends on.',
  flags,
  short: { nodes: 'n' },
  find: runOf,
  rows: studyRows,
  text,
  draw: drawing,
});

async function runOf(
  { nodes, keySums, machine, seed }: FlagsOf<typeof flags>,
  context: Context,
): Promise<SensitivityDocument> {
  const parameters = validated(() => scaledHornParameters(nodes, defaultHornParameters));
  const rows: SensitivityRow[] = [];
  const names = machine === undefined ? machineNames : [machine];
  const counter = new Counter(context, 'running', names.length * batches.length * systems.length, 'slots');
  try {
    for (const name of names) {
      for (const batch of batches) {
        const { checkMs: _, ...costs } = machineCosts({ machine: name, batch, keySums });
        for (const system of systems) {
          const scenario: SlotScenario = { ...defaultSlotScenario, ...costs, system, parameters, seed };
          const { votes, uncalibrated, verificationSeconds } = (
            await runInPieces(scenario, 'statistical', context, counter)
          ).result();
          rows.push({
            machine: name,
            origin: machines[name].origin,
            batch,
            verifyMs: costs.verifyMs,
            additionNs: costs.additionNs,
            system,
            inReachPercent: (100 * votes.inReach) / votes.cast,
            uncalibrated,
            verificationSeconds: verificationSeconds.total,
          });
        }
      }
    }
  } finally {
    counter.done();
  }
  return { nodes, seed, keySums, rows };
}

/** Returns rows with the column names of other studies of slots. */
function studyRows({ nodes, seed, keySums, rows }: SensitivityDocument): object[] {
  return rows.map(({ system, machine, origin, batch, ...row }) => ({
    ...{ preset: system, validators: nodes, seed, machine, machineOrigin: origin, batch, keySums },
    ...row,
  }));
}

function together(batch: number): string {
  return batch === 1 ? 'singly' : `${batch} together`;
}

function drawing({ nodes, keySums, seed, rows }: SensitivityDocument): string {
  const drawn = systems.map((system) => ({
    name: system === 'horn' ? 'Horn' : 'strawman',
    points: rows
      .filter((row) => row.system === system)
      .sort((a, b) => b.verifyMs - a.verifyMs)
      .map(({ machine, batch, inReachPercent: at }) => ({
        x: `${machine}, ${together(batch)}`,
        y: { min: at, mean: at, max: at },
        live: 1,
        reached: 1,
      })),
  }));
  const title = `Votes in reach when the slot ends: ${counted(nodes, 'validator')}, ${keySums} sums of keys, seed ${seed}`;
  const left = { label: 'of the votes cast', unit: '%', scale: 'linear' } as const;
  return onPaper([{ title, drawing: drawRows({ left, drawn }, wide) }], title);
}

function text({ nodes, seed, keySums, rows }: SensitivityDocument): string {
  const sorted = systems.flatMap((system) =>
    rows.filter((row) => row.system === system).sort((a, b) => b.verifyMs - a.verifyMs),
  );
  const table = rowsTable(sorted, [
    ['', ({ system }) => system],
    ['machine', ({ machine, origin }) => `${machine}${origin === 'derived' ? '*' : ''}`],
    ['signatures', ({ batch }) => together(batch)],
    ['ms each', ({ verifyMs }) => verifyMs, 3],
    ['ns an addition', ({ additionNs }) => additionNs],
    ['verifying, s', ({ verificationSeconds }) => verificationSeconds, 2],
    [
      'in reach at the end, %',
      ({ uncalibrated, inReachPercent: of }) => `${isCalibrated(uncalibrated) ? '' : 'about '}${grouped(of, 1)}`,
    ],
    ['of the votes', ({ inReachPercent: of }) => '#'.repeat(Math.round((barLength * of) / 100)).padEnd(barLength, '.')],
  ]);
  return `${table}
${counted(nodes, 'validator')}, ${keySums} sums of keys, seed ${seed}. * Only the addition was measured on it.${
    rows.every(({ uncalibrated }) => isCalibrated(uncalibrated))
      ? ''
      : ' About: a round before the last is overloaded, and what is lost there was not calibrated.'
  }
`;
}
