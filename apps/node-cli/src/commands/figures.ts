import { availableParallelism, cpus } from 'node:os';
import { EnvironmentError } from '@tutti/core/input';
import { type Experiment, type Extent, experiments, scenariosFor } from '@tutti/lab';
import { backgrounds } from '@tutti/lab/theme';
import { Command, Option } from 'commander';
import { answer, type Context, Interrupted, UsageError } from '../context.ts';
import { documentOf, type FiguresDocument, provenance } from '../figures/document.ts';
import { figureSweepText } from '../figures/figureSweep.ts';
import { type Finding, findingOf, verdictText, verdictWord } from '../figures/finding.ts';
import { onNetwork, withoutMachines } from '../figures/onNetwork.ts';
import { type DoneRuns, runAll, runsFile } from '../figures/runs.ts';
import { networkOrFileText } from '../files/latencyFile.ts';
import {
  badChoiceValue,
  choice,
  type FlagReader,
  type FlagsOf,
  flag,
  flagOf,
  forceFlag,
  givenFlag,
  jobsFlag,
  jsonFlag,
  toggle,
  withFlags,
  words,
} from '../flags.ts';
import { networkChoices } from '../networkFile.ts';
import { inputFiles, inputText, makeFolder, requirePlace, writeWhole } from '../output/files.ts';
import { Progress, timeTaken } from '../output/progress.ts';
import { counted, grouped, pairTable } from '../output/text.ts';

/** Name that selects all experiments that switch off one mechanism. */
const ablations = 'ablations';

/** Former names of experiments. */
const formerIds: ReadonlyMap<string, string> = new Map([['twin', 'calibrated-model']]);

const onlyFlag: FlagReader<readonly Experiment[]> = (text) =>
  text.split(',').flatMap((id) => {
    const name = formerIds.get(id.trim()) ?? id.trim();
    const found = experiments.filter(
      (experiment) => experiment.id === name || (name === ablations && experiment.id.startsWith('without-')),
    );
    if (found.length > 0) return found;
    const ids = [...experiments.map((experiment) => experiment.id), ablations];
    throw badChoiceValue('--only', ids, id, `some of ${ids.join(', ')}`);
  });

const figuresFlags = {
  only: flag(
    '<ids>',
    `some of ${experiments.map(({ id }) => id).join(', ')}; ${ablations} selects the experiments that each switch off one mechanism`,
    () => onlyFlag,
  ),
  quick: toggle('use smaller sizes and fewer seeds'),
  network: flag('<model>', `run all experiments on another network: ${networkChoices}`, (name) =>
    flagOf(name, networkOrFileText),
  ),
  jobs: jobsFlag,
  outFolder: flag('<folder>', 'folder for the report and the results; created if missing', words, 'tutti-figures'),
  background: flag(
    '<name>',
    `background of the figure files: one of ${backgrounds.join(', ')}`,
    choice(backgrounds),
    'paper',
  ),
  pdf: toggle('also draw each figure as PDF; needs pdfkit and svg-to-pdfkit, which npm installs on request'),
  writeSweep: flag(
    '<file>',
    "write a sweep file for the single figure in --only, for use with 'tutti sweep', without running it",
    words,
  ),
  force: forceFlag,
  json: jsonFlag,
};

interface FiguresOptions extends FlagsOf<typeof figuresFlags> {
  readonly tiny?: boolean;
}

export function figuresCommand(context: Context): Command {
  const command = new Command('figures').description(
    "Reproduce the paper's figures, check its claims and write a report. A second run resumes the first.",
  );
  return withFlags(command, figuresFlags)
    .addOption(
      new Option('--tiny', 'use sizes for tests, which are too small for conclusions').conflicts('quick').hideHelp(),
    )
    .action(async (options: FiguresOptions) => {
      if (options.writeSweep !== undefined) return writeSweep(options.writeSweep, options, command);
      const { document, findings, report } = await figures(options, context);
      answer(context, options.json, document, summary(document, findings, report));
      // The paper makes no claims about other networks, so no claim can be broken there.
      if (document.broken.length > 0 && options.network === undefined) {
        throw new EnvironmentError('claim-broken', `${document.broken.join(', ')}: claim did not hold; see ${report}`);
      }
    });
}

/** Flags for the runs and their report, which `--write-sweep` does not make. */
const reportFlags = ['--jobs', '--out-folder', '--background', '--pdf', '--json'];

/** Writes a sweep file with the runs of one figure. */
function writeSweep(file: string, options: FiguresOptions, command: Command): void {
  const { only = [], network, force } = options;
  const unused = givenFlag(command, (flag) => reportFlags.includes(flag));
  if (unused !== undefined)
    throw new UsageError(`${unused}: cannot be combined with --write-sweep, which runs nothing`);
  const [experiment, ...others] = only;
  if (experiment === undefined || others.length > 0)
    throw new UsageError(`--write-sweep: expected one figure in --only, got ${only.length}`);
  requirePlace(file, force);
  const extent = extentOf(options);
  const [written] =
    network === undefined ? only : onNetwork([withoutMachines(experiment, network, extent)], network, extent);
  writeWhole(file, figureSweepText(written!, extent));
}

function extentOf({ tiny, quick }: FiguresOptions): Extent {
  if (tiny) return 'tiny';
  return quick ? 'quick' : 'full';
}

async function figures(
  options: FiguresOptions,
  context: Context,
): Promise<{ document: FiguresDocument; findings: readonly Finding[]; report: string }> {
  const startedMs = performance.now();
  const extent = extentOf(options);
  const { network } = options;
  const chosen = experiments.filter((experiment) => options.only?.includes(experiment) ?? true);
  const wanted = network === undefined ? chosen : onNetwork(chosen, network, extent);
  const pdf = options.pdf
    ? await askedFor(() => import('../figures/pdf.ts'), '--pdf', ['pdfkit', 'svg-to-pdfkit'])
    : undefined;
  makeFolder(options.outFolder);
  const runs = await runWithProgress(wanted, extent, options, context);
  const findings = wanted.map((experiment) => findingOf(experiment, extent, runs, network));
  // The module is loaded only here, because the renderer is a library of several megabytes.
  const { writeFigures } = await import('../figures/writeFigures.ts');
  const { furtherChapters } = await import('../figures/furtherChapters.ts');
  const chapters = options.only === undefined && network === undefined ? furtherChapters() : [];
  const inputs = inputFiles();
  const facts = {
    extent,
    runs: runs.total,
    ...(network !== undefined && { network }),
    ...(inputs !== undefined && { inputs }),
  };
  const origin = provenance();
  const date = new Date().toISOString().slice(0, 10);
  const ofReport = { ...facts, provenance: origin, date, machine: machineText(), chapters };
  const report = await writeFigures(options.outFolder, findings, options.background, ofReport, pdf?.pdfOf);
  const document = documentOf(findings, origin, {
    ...facts,
    out: options.outFolder,
    ran: runs.ran,
    ...timeTaken(startedMs),
  });
  return { document, findings, report };
}

async function runWithProgress(
  wanted: readonly Experiment[],
  extent: Extent,
  { outFolder: out, jobs = availableParallelism() }: FiguresOptions,
  context: Context,
): Promise<DoneRuns> {
  const path = runsFile(out);
  const progress = new Progress(context);
  let done = 0;
  let total = 0;
  try {
    return await runAll({
      scenarios: wanted.flatMap((experiment) => scenariosFor(experiment, extent)),
      path,
      jobs,
      signal: context.signal,
      onProgress(now) {
        ({ done, total } = now);
        progress.count('running', done, total, 'runs', { done: now.costDone, left: now.costLeft });
      },
    }).finally(() => progress.done());
  } catch (error) {
    if (error instanceof Interrupted && total > 0)
      context.err(`${path} has ${grouped(done)} of ${counted(total, 'run')}; run the command again to continue\n`);
    throw error;
  }
}

function summary(
  { held, runs, ran, wallSeconds, experiments: all }: FiguresDocument,
  findings: readonly Finding[],
  report: string,
): string {
  return [
    pairTable(findings.map((finding) => [finding.experiment.id, `${verdictWord(finding)}: ${verdictText(finding)}`])),
    `${held} of ${counted(all.length, 'claim')} held; ${counted(runs, 'run')}, ${grouped(ran)} of them new, in ${grouped(wallSeconds, 1)} s`,
    `The report is ${report}; the numbers and pictures are in the same folder.\n${inputText()}`,
  ].join('\n');
}

/** Describes the machine of the runs, for example `2 cores, AMD EPYC, Node 20.20.2`. */
function machineText(): string {
  const all = cpus();
  const model = all[0]?.model.trim() ?? '';
  return [counted(all.length, 'core'), ...(model === '' ? [] : [model]), `Node ${process.versions.node}`].join(', ');
}

/**
 * Loads code that needs large optional libraries, which users install if they need the feature.
 *
 * @param what name of the requested feature, for example a flag.
 * @throws EnvironmentError `library-missing` with one line that names the libraries to install.
 */
export async function askedFor<T>(load: () => Promise<T>, what: string, libraries: readonly string[]): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && libraries.some((name) => message.includes(`'${name}'`));
    if (!isMissing) throw cause;
    throw new EnvironmentError(
      'library-missing',
      `${what}: needs ${libraries.join(' and ')}, which are not installed; run 'npm install ${libraries.join(' ')}' first`,
      { cause },
    );
  }
}
