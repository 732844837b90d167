import { seedSetting } from '@tutti/core/settings';
import { systemOf } from '@tutti/ethereum';
import { clientSettings } from '@tutti/ethereum/settings';
import { breathe } from '../context.ts';
import { flag, ranged, setting, toggle } from '../flags.ts';
import { agreement, type HeldRow, heldRows, latenesses, mainnet, watchedSlot } from '../horn/heldAgainst.ts';
import { clientFlags, clientsOf, clientText } from '../horn/networkFlags.ts';
import { type ArrivalsOf, voteArrivals } from '../horn/voteArrivals.ts';
import { grouped } from '../numbers.ts';
import { wrapped } from '../output/folded.ts';
import { columnTable } from '../output/tables.ts';
import { tablePath } from '../results/tableFile.ts';
import '../networks.ts';
import { study } from './study.ts';

/** Output of `tutti slots arrivals --json`. */
export interface HornArrivalsDocument {
  readonly client: string;
  readonly cores: number;
  readonly seed: number;
  readonly agreement: number;
  readonly rows: readonly HeldRow[];
}

interface Found {
  readonly document: HornArrivalsDocument;
  readonly arrivals: readonly ArrivalsOf[];
}

export const slotArrivals = study({
  name: 'arrivals',
  about: 'Run slots of mainnet and hold when votes arrive against what was measured and published.',
  flags: {
    client: clientFlags([{ name: 'lighthouse-2026', share: 1 }]),
    cores: flag('<n>', 'cores of each node that verify', ranged(clientSettings.cores.range), mainnet.client.cores),
    seed: setting(seedSetting),
    votes: flag('<file>', 'also write when each observer had each vote to this file, .csv or .parquet', tablePath),
    markdown: toggle('print a table for a page'),
  },
  async find({ client, cores, seed }, context): Promise<Found> {
    const scenario = { ...mainnet, ...clientsOf(client, mainnet.client.machine, cores), seed };
    const rows: HeldRow[] = [];
    const arrivals: ArrivalsOf[] = [];
    for (const [slot, name] of (Object.keys(latenesses) as (keyof typeof latenesses)[]).entries()) {
      await breathe(context);
      const seen = watchedSlot(scenario, name);
      rows.push(...heldRows(seen, name));
      arrivals.push({ name, slot, slotMs: systemOf(scenario).slotMs, seen });
    }
    return { document: { client: clientText(client), cores, seed, agreement, rows }, arrivals };
  },
  document: ({ document }) => document,
  rows: ({ document }) => document.rows.map(({ what, unit, slot, ...row }) => ({ what, unit, slotName: slot, ...row })),
  text: ({ document }, { markdown = false }) => text(document.rows, markdown),
  tables: { votes: ({ arrivals }) => voteArrivals(arrivals) },
});

/** Returns a table, with sources and causes below. */
function text(rows: readonly HeldRow[], isMarkdown: boolean): string {
  const of = [...new Set(rows.map(({ source }) => source))];
  const causes = [...new Set(rows.flatMap(({ cause }) => cause ?? []))];
  const letter = (cause: string) => String.fromCharCode(97 + causes.indexOf(cause));
  const head = ['', 'slot', 'measured', 'played', 'off, %', 'of the time since due, %', 'verdict'];
  const cells = rows.map(({ what, unit, slot, measured, source, played, off, offSinceDue, verdict, cause }) => [
    what,
    slot,
    `${measured.map((one) => figure(one, unit)).join(' to ')} ${unit} (${of.indexOf(source) + 1})`,
    figure(played, unit),
    grouped(100 * off, 1),
    offSinceDue === undefined ? '' : grouped(100 * offSinceDue, 1),
    cause === undefined ? verdict : `${verdict}: ${letter(cause)}`,
  ]);
  const notes = [
    ...of.map((source, index) => `(${index + 1}) ${source}`),
    ...causes.map((cause) => `${letter(cause)}: ${cause}`),
  ];
  if (!isMarkdown) return `${columnTable(head, cells)}\n${wrapped(notes.map((note) => `${note}\n`).join(''))}`;
  const lines = [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |\n`);
  return `${lines.join('')}\n${notes.map((note) => `- ${note}\n`).join('')}`;
}

const figure = (value: number, unit: HeldRow['unit']): string => grouped(value, unit === 'ms' ? 0 : 2);
