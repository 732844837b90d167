import { seedSetting } from '@tutti/core/input';
import { type Summary, summaryOf, systemOf } from '@tutti/ethereum';
import { clientSettings } from '@tutti/ethereum/settings';
import type { ResultTable } from '@tutti/lab/results';
import { choice, flag, ranged, seedsFlag, seedsFrom, setting, several, toggle } from '../flags.ts';
import {
  agreement,
  type ComparedRow,
  comparedRows,
  latenesses,
  mainnet,
  type ObservedSlot,
  observedSlot,
} from '../horn/mainnetFigures.ts';
import { clientsFlag, clientsOf, clientText } from '../horn/networkFlags.ts';
import { networkWorld } from '../horn/networkSummary.ts';
import { type StatedWorld, worldLine } from '../output/statedWorld.ts';
import { columnTable, grouped, markdownTable, wrapped } from '../output/text.ts';
import {
  fieldsOverSeeds,
  type OverSeeds,
  rowsOfRuns,
  rowsWithSeeds,
  runBySeed,
  spreadMeaning,
  spreadText,
} from '../results/overSeeds.ts';
import { tablePath } from '../results/tableFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { study } from './study.ts';

await loadAllNetworks();

/** Output of `tutti slots arrivals --json`. */
interface SlotArrivalsDocument {
  readonly world: StatedWorld;
  readonly client: string;
  readonly cores: number;
  readonly seeds: readonly number[];
  readonly agreement: number;
  readonly rows: readonly ComparedSummary[];
}

type OfSeed = 'simulated' | 'off' | 'offSinceDue' | 'verdict';

/** A measured figure, and its simulated value over seeds. */
interface ComparedSummary extends Omit<ComparedRow, OfSeed>, OverSeeds<Pick<ComparedRow, 'simulated' | 'off'>> {
  readonly offSinceDue?: Summary;
  /** Verdict for every seed; `varies` if the seeds have different verdicts. */
  readonly verdict: ComparedRow['verdict'] | 'varies';
}

interface Found {
  readonly document: SlotArrivalsDocument;
  /** Rows for each seed, in the order of the document. */
  readonly groups: readonly (readonly ComparedRow[])[];
  /** Arrivals in the run with the first seed. */
  readonly arrivals: readonly ArrivalsOf[];
}

type SlotName = keyof typeof latenesses;

const slotNames = Object.keys(latenesses) as SlotName[];

export const slotArrivals = study({
  name: 'arrivals',
  about: 'Simulate mainnet slots, and compare the arrival times of votes with published measurements.',
  flags: {
    client: clientsFlag([{ name: 'lighthouse-2026', share: 1 }]),
    cores: flag(
      '<n>',
      'number of cores per node that run verifications',
      ranged(clientSettings.cores.range),
      mainnet.client.cores,
    ),
    slot: flag(
      '<name>',
      `one of ${slotNames.map((name) => `"${name}"`).join(', ')}; repeatable (default: all)`,
      several(choice(slotNames)),
    ),
    seed: setting(seedSetting),
    seeds: seedsFlag(5),
    votes: flag(
      '<file>',
      'also write the time at which each observer verified each vote in the run with the first seed to this .csv or .parquet file',
      tablePath,
    ),
    markdown: toggle('print a Markdown table for a page of the docs'),
  },
  async find({ client, cores, slot: names = slotNames, seed: first, seeds: count }, context): Promise<Found> {
    const scenario = { ...mainnet, ...clientsOf(client, mainnet.client.machine, cores) };
    const seeds = seedsFrom(first, count);
    const arrivals: ArrivalsOf[] = [];
    const run = ([slot, name]: readonly [number, SlotName], seed: number) => {
      const seen = observedSlot({ ...scenario, seed }, name);
      if (seed === first) arrivals.push({ name, slot, slotMs: systemOf(scenario).slotMs, seen });
      return comparedRows(seen, name);
    };
    const groups = (await runBySeed([...names.entries()], seeds, run, 'slots', context)).flatMap(rowsOfRuns);
    const world = networkWorld([scenario], seeds);
    const rows = groups.map(overGroup);
    return { document: { world, client: clientText(client), cores, seeds, agreement, rows }, groups, arrivals };
  },
  document: ({ document }) => document,
  rows: ({ document: { seeds }, groups }) =>
    rowsWithSeeds(groups, seeds).map(({ what, unit, slot, seed, ...row }) => ({
      ...{ what, unit, slotName: slot, seed },
      ...row,
    })),
  text: ({ document }, { markdown = false }) => text(document, markdown),
  tables: { votes: ({ arrivals }) => voteArrivals(arrivals) },
});

function overGroup(rows: readonly ComparedRow[]): ComparedSummary {
  const { offSinceDue: _, verdict, cause: __, ...row } = fieldsOverSeeds(rows, ['simulated', 'off']);
  const cause = rows.find((row) => row.cause !== undefined)?.cause;
  const since = rows.flatMap(({ offSinceDue }) => offSinceDue ?? []);
  return {
    ...row,
    ...(since.length > 0 && { offSinceDue: summaryOf(since) }),
    verdict: rows.every((row) => row.verdict === verdict) ? verdict : 'varies',
    ...(cause !== undefined && { cause }),
  };
}

/** Returns a table followed by sources and causes. */
function text({ world, rows }: SlotArrivalsDocument, isMarkdown: boolean): string {
  const of = [...new Set(rows.map(({ source }) => source))];
  const causes = [...new Set(rows.flatMap(({ cause }) => cause ?? []))];
  const letter = (cause: string) => String.fromCharCode(97 + causes.indexOf(cause));
  const head = ['', 'slot', 'measured', 'simulated', 'off, %', 'of the time since due, %', 'verdict'];
  const cells = rows.map(({ what, unit, slot, measured, source, simulated, off, offSinceDue, verdict, cause }) => [
    what,
    slot,
    `${measured.map((one) => figure(one, unit)).join(' to ')} ${unit} (${of.indexOf(source) + 1})`,
    spreadText(simulated, unit === 'ms' ? 0 : 2),
    spreadText(off, 1, 100),
    offSinceDue === undefined ? '' : spreadText(offSinceDue, 1, 100),
    cause === undefined ? verdict : `${verdict}: ${letter(cause)}`,
  ]);
  const notes = [
    ...of.map((source, index) => `(${index + 1}) ${source}`),
    ...causes.map((cause) => `${letter(cause)}: ${cause}`),
  ];
  const meaning = `${spreadMeaning} A verdict is stated if it is the same for every seed; otherwise the table shows "varies".`;
  const ends = `${meaning}\n${worldLine(world)}`;
  if (!isMarkdown)
    return `${columnTable(head, cells)}\n${wrapped([...notes, ends].map((note) => `${note}\n`).join(''))}`;
  return `${markdownTable(head, cells)}\n${notes.map((note) => `- ${note}\n`).join('')}\n${meaning} ${worldLine(world)}\n`;
}

const figure = (value: number, unit: ComparedRow['unit']): string => grouped(value, unit === 'ms' ? 0 : 2);

/** Code of the message kind `attestation` in eth-slot-sim's reports. */
const attestationKind = 2;

const nsOfUs = 1000;

/** Arrivals observed in one slot. `slot` is the number of the slot, and `slotMs` is the length of the slot, ms. */
interface ArrivalsOf {
  readonly name: string;
  readonly slot: number;
  readonly slotMs: number;
  readonly seen: ObservedSlot;
}

/** Integer columns in eth-slot-sim's reports. */
const integerColumns = [
  'node',
  'kind',
  'slot',
  'subnet',
  'attester',
  'origin',
  't_ns',
  'propagation_slot_start_diff',
  'published_t_ns',
] as const;

/**
 * Returns the time at which each observer verified each vote, one row per observer and vote. There is no row for an
 * observer that never verified the vote or that cast it itself. The columns are those that eth-slot-sim's reports read
 * (its analysis/to_parquet.py@e9cc1ec: node to t_ns; kinds according to check_arrivals.py), Xatu's column for the time
 * since the slot began, and the time at which the vote was sent. Times in ns are measured from the start of slot 0.
 */
export function voteArrivals(slots: readonly ArrivalsOf[]): ResultTable {
  const rows = slots.flatMap(({ name, slot, slotMs, seen: { slot: simulated } }) => {
    const startNs = slot * slotMs * 1e6;
    const observers = simulated.world.observers;
    return simulated.run.arrivals.flatMap(({ subnet, members, votes }) => {
      const watched = Array.from(observers, (node) => ({ node, member: members.indexOf(node) }));
      return votes.flatMap(({ places, node: origin, castUs, verifiedUs }) =>
        places.flatMap((attester) =>
          watched.flatMap(({ node, member }) => {
            const us = verifiedUs[member] ?? -1;
            if (us === -1 || node === origin) return [];
            const times = [startNs + nsOfUs * us, Math.round(us / 1000), startNs + nsOfUs * castUs];
            return [[node, attestationKind, slot, subnet, attester, origin, ...times, name]];
          }),
        ),
      );
    });
  });
  rows.sort((a, b) => [2, 3, 4, 0].map((place) => Number(a[place]) - Number(b[place])).find((one) => one !== 0) ?? 0);
  return {
    columns: [...integerColumns, 'slot_name'],
    rows,
    types: Object.fromEntries(integerColumns.map((name) => [name, 'INT64' as const])),
  };
}
