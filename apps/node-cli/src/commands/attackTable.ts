import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { percentText, version } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { attackLimits } from '@tutti/lab';
import { defaultScenario } from '@tutti/simulation';
import { Command } from 'commander';
import { type AttackCell, brokenCells, notJudged, tableCells, tableScenarios } from '../attacks/attackTable.ts';
import { answer, type Context } from '../context.ts';
import { runAll, runsFile } from '../figures/runs.ts';
import {
  type FlagsOf,
  flag,
  integer,
  integerFlag,
  jobsFlag,
  listFlag,
  numberFlag,
  seedsFrom,
  withFlags,
  words,
} from '../flags.ts';
import {
  type InputFile,
  inputFiles,
  inputRows,
  inputText,
  isStandardOutput,
  makeFolder,
  requirePlace,
  writeWhole,
} from '../output/files.ts';
import { Progress } from '../output/progress.ts';
import { columnTable, counted, grouped, markdownTable } from '../output/text.ts';
import { outputFlags, requireOut, writeStudy } from '../results/tableFile.ts';
import { addFieldFlags, readScenario } from '../scenarioFlags.ts';

/** Flags that help shows before `--network`. */
const sizeFlags = {
  nodes: flag('<list>', 'sizes', (name) => listFlag(integerFlag(name, 8, 65_536)), [1024, 2048, 4096]),
  shares: flag(
    '<list>',
    'shares of Byzantine nodes',
    (name) =>
      listFlag(numberFlag(name, 'shares greater than 0 and less than 0.5', (share) => share > 0 && share < 0.5)),
    [0.3, 0.45],
  ),
  seeds: flag('<n>', 'number of runs for each attack and share; the seeds start at 1', integer(1, 1000), 1),
};

/** Flags that help shows after `--network`. */
const fileFlags = {
  jobs: jobsFlag,
  runFolder: flag(
    '<folder>',
    'folder for the results, from which a later run resumes; created if missing',
    words,
    join(tmpdir(), 'tutti-attacks'),
  ),
  write: flag(
    '<file>',
    'also write the table as Markdown to this file; with -, print only the Markdown, to standard output',
    words,
  ),
  ...outputFlags,
};

type AttackTableOptions = FlagsOf<typeof sizeFlags & typeof fileFlags>;

/** Output of `tutti attack table --json`. */
export interface AttackTableDocument {
  readonly version: string;
  readonly seeds: number;
  readonly network: string;
  /** The input files, with their hashes. */
  readonly inputs?: readonly InputFile[];
  readonly cells: readonly AttackCell[];
  /** Cells that break the claim; empty on networks other than AWS, which the claim does not cover. */
  readonly broken: readonly AttackCell[];
}

export function attackTableCommand(context: Context): Command {
  const command = new Command('table').description(
    'Run every attack on Handel, and compare each attack with the same number of silent nodes. A repeated command resumes an unfinished run.',
  );
  addFieldFlags(withFlags(command, sizeFlags, { nodes: 'n' }), ['network']);
  return withFlags(command, fileFlags).action(async (options: AttackTableOptions, self: Command) => {
    if (options.write !== undefined) requirePlace(options.write, options.force);
    requireOut(options);
    const document = await measure(options, (await readScenario(self, ['network'])).network, context);
    if (options.write !== undefined) writeWhole(options.write, markdown(document));
    writeStudy(options.out, () => studyRows(document), self);
    if (!isStandardOutput(options.write)) answer(context, options.json, document, summary(document));
    const [first] = document.broken;
    if (first !== undefined)
      throw new EnvironmentError(
        'claim-broken',
        `${first.attack}: mean ${views.mean(first)}; last ${views.last(first)}, at N = ${first.nodes} with ${percentText(first.share)} Byzantine nodes`,
      );
  });
}

async function measure(options: AttackTableOptions, network: string, context: Context): Promise<AttackTableDocument> {
  const { nodes, shares, jobs = availableParallelism() } = options;
  const request = { nodes, shares, network, seeds: seedsFrom(1, options.seeds) };
  makeFolder(options.runFolder);
  const progress = new Progress(context);
  try {
    const runs = await runAll({
      scenarios: tableScenarios(request),
      path: runsFile(options.runFolder),
      jobs,
      signal: context.signal,
      onProgress: ({ done, total, costDone, costLeft }) =>
        progress.count('running', done, total, 'runs', { done: costDone, left: costLeft }),
    });
    const cells = tableCells(request, (scenario) => runs.find(scenario));
    const inputs = inputFiles();
    const on = { network, ...(inputs !== undefined && { inputs }) };
    return { version, seeds: options.seeds, ...on, cells, broken: isClaimed(network) ? brokenCells(cells) : [] };
  } finally {
    progress.done();
  }
}

/** Returns one row per cell, with the column names of a sweep. */
function studyRows({ seeds, network, cells }: AttackTableDocument): object[] {
  return cells.map(({ attack, nodes, share, meanMs, maxMs, stuck, times, timesLast }) => ({
    attack,
    nodes,
    byzantineShare: share,
    seeds,
    network,
    judged: isClaimed(network) && !notJudged.includes(attack),
    timeToThresholdMs: { mean: meanMs, max: maxMs },
    stuck,
    timesSilence: times,
    lastTimesSilence: timesLast,
  }));
}

/** Functions that format a cell: the mean time or the last node's time, each with its ratio to silence. */
const views = {
  mean: ({ meanMs, times, stuck }: AttackCell): string => cellText(meanMs, times, stuck),
  last: ({ maxMs, timesLast, stuck }: AttackCell): string => cellText(maxMs, timesLast, stuck),
} as const;

function cellText(ms: number, times: number, stuck: number): string {
  return `${grouped(ms)} ms, ${grouped(times, 2)}${stuck > 0 ? `, ${counted(stuck, 'never finishes', 'never finish')}` : ''}`;
}

/** Returns the head and the rows of a table, with one row per attack and one column per size and share. */
function grid(
  cells: readonly AttackCell[],
  textOf: (cell: AttackCell) => string,
): { head: string[]; rows: string[][] } {
  const columns = [...new Set(cells.map(({ nodes, share }) => `${percentText(share)} of ${grouped(nodes)}`))];
  const names = [...new Set(cells.map(({ attack }) => attack))];
  const rows = names.map((name) => [name, ...cells.filter(({ attack }) => attack === name).map(textOf)]);
  return { head: ['attack', ...columns], rows };
}

/** Returns the name of an attack for Markdown, which must show a plan as code because of its characters. */
const asMarkdown = (name: string): string => (/[@:]/.test(name) ? `\`${name}\`` : name);

/** Returns whether the claim covers a network. */
const isClaimed = (network: string) => network === defaultScenario.network;

/** Settings of the claim, without the network. */
const settings = `verifications of ${defaultScenario.verifyMs} ms, a branching factor of ${defaultScenario.branching}, a threshold of ${percentText(defaultScenario.threshold)}`;

function verdict({ network, cells, broken }: AttackTableDocument): string {
  const allSettings = `${isClaimed(network) ? 'AWS' : network}, ${settings}`;
  const stuck = cells.reduce((sum, cell) => sum + cell.stuck, 0);
  const finished =
    stuck === 0 ? 'all honest nodes finish' : counted(stuck, 'honest node never finishes', 'honest nodes never finish');
  if (!isClaimed(network)) return `No claim covers these settings: ${allSettings}. ${finished.replace(/^a/, 'A')}.`;
  const judged = cells.filter(({ attack }) => !notJudged.includes(attack));
  const limits = [...new Set(judged.map(({ share }) => share))].map((share) => {
    const of = judged.filter((cell) => cell.share === share);
    const [mean, last] = [Math.max(...of.map(({ times }) => times)), Math.max(...of.map(({ timesLast }) => timesLast))];
    const claimed = attackLimits(share);
    return `with ${percentText(share)} Byzantine nodes, the mean time is at most ${grouped(mean, 2)} times the mean time with silent nodes and no back-off (claimed limit: ${claimed.mean}), and the time of the last node is at most ${grouped(last, 2)} times (claimed limit: ${claimed.last})`;
  });
  const breaking =
    broken.length === 0 ? 'The claim holds' : `The claim does not hold in ${counted(broken.length, 'cell')}`;
  return `${breaking}: ${limits.join('; ')}; ${finished}. The claim covers random ids and these settings: ${allSettings}. Not covered, because the attacker chooses ids or the network adds delays: ${notJudged.map(asMarkdown).join(', ')}.`;
}

function summary(document: AttackTableDocument): string {
  const table = (title: string, textOf: (cell: AttackCell) => string): string => {
    const { head, rows } = grid(document.cells, textOf);
    return `${title}\n\n${columnTable(head, rows)}`;
  };
  return [
    table(
      'Mean time of the honest nodes, and its ratio to the mean time with silent nodes and no back-off:',
      views.mean,
    ),
    table('Time of the last honest node, and its ratio to the time with silent nodes and no back-off:', views.last),
    `${verdict(document)}\n${inputText()}`,
  ].join('\n');
}

function markdown(document: AttackTableDocument): string {
  const table = (textOf: (cell: AttackCell) => string): string => {
    const { head, rows } = grid(document.cells, textOf);
    return markdownTable(
      head,
      rows.map(([name = '', ...cells]) => [asMarkdown(name), ...cells]),
    );
  };
  return [
    verdict(document),
    ...inputRows().map(([, file]) => `\nInput: ${file}.`),
    '',
    'Mean time of the honest nodes:',
    '',
    table(views.mean),
    'Time of the last honest node:',
    '',
    table(views.last),
  ].join('\n');
}
