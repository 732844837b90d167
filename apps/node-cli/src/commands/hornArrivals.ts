import { type ClientShare, systemOf } from '@tutti/simulation/slots';
import { Command, Option } from 'commander';
import { forceOption, jsonOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { integerFlag, seedFlag } from '../flags.ts';
import { agreement, type HeldRow, heldRows, latenesses, mainnet, watchedSlot } from '../horn/heldAgainst.ts';
import { clientOption, clientsOf, clientText } from '../horn/networkFlags.ts';
import { type ArrivalsOf, voteArrivals } from '../horn/voteArrivals.ts';
import { grouped } from '../numbers.ts';
import { wrapped } from '../output/folded.ts';
import { columnTable } from '../output/tables.ts';
import { outOption, requireOut, tablePath, writeStudy, writeTableOf } from '../results/tableFile.ts';
import { Interrupted } from '../usageError.ts';
import '../networks.ts';

interface Flags {
  readonly client: readonly ClientShare[];
  readonly cores: number;
  readonly seed: number;
  readonly out?: string;
  readonly votes?: string;
  readonly markdown?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What `tutti horn arrivals --json` prints. */
export interface HornArrivalsDocument {
  readonly client: string;
  readonly cores: number;
  readonly seed: number;
  readonly agreement: number;
  readonly rows: readonly HeldRow[];
}

const votesOption = new Option(
  '--votes <file>',
  'also write when each observer had each vote to this file, .csv or .parquet',
).argParser(tablePath('--votes'));

export function hornArrivalsCommand(context: Context): Command {
  return new Command('arrivals')
    .description('Play slots of mainnet and hold when votes arrive against what was measured and published.')
    .addOption(clientOption([{ name: 'lighthouse-2026', share: 1 }]))
    .option('--cores <n>', 'cores of each node that verify', integerFlag('--cores', 1, 256), mainnet.client.cores)
    .option('--seed <n>', 'an integer from 0 to 4294967295', seedFlag, 1)
    .addOption(outOption)
    .addOption(votesOption)
    .addOption(forceOption)
    .option('--markdown', 'print a table for a page')
    .addOption(jsonOption)
    .action(async ({ client, cores, seed, out, votes, force, markdown = false, json }: Flags, command: Command) => {
      for (const path of [out, votes]) requireOut({ out: path, force });
      const scenario = {
        ...mainnet,
        ...clientsOf(client, mainnet.client.machine, cores),
        seed,
      };
      const rows: HeldRow[] = [];
      const arrivals: ArrivalsOf[] = [];
      for (const [slot, name] of (Object.keys(latenesses) as (keyof typeof latenesses)[]).entries()) {
        await new Promise(setImmediate);
        if (context.signal.aborted) throw new Interrupted();
        const seen = watchedSlot(scenario, name);
        rows.push(...heldRows(seen, name));
        arrivals.push({ name, slot, slotMs: systemOf(scenario).slotMs, seen });
      }
      writeStudy(out, () => rows, command, seed);
      writeTableOf(votes, () => voteArrivals(arrivals), command, seed);
      const document: HornArrivalsDocument = { client: clientText(client), cores, seed, agreement, rows };
      context.out(
        json
          ? `${JSON.stringify(document)}
`
          : text(rows, markdown),
      );
    });
}

/** As a table, with sources and causes under it. */
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
