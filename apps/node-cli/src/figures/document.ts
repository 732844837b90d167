import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { version } from '@tutti/core';
import type { Experiment, Extent, Verdict } from '@tutti/lab';
import type { Interval, RunResult, Spread } from '@tutti/simulation';
import type { InputFile } from '../output/files.ts';
import { departureOf, type Finding } from './finding.ts';

/** Inputs and number of runs of a report. */
export interface RunFacts {
  readonly extent: Extent;
  /** Network of all runs, if it differs from the network of the figures. */
  readonly network?: string;
  /** The input files, with their hashes. */
  readonly inputs?: readonly InputFile[];
  readonly runs: number;
}

/** Output of `tutti figures --json`. */
export interface FiguresDocument extends Provenance, RunFacts {
  /** Folder of the written files. */
  readonly out: string;
  /** Number of runs that this command made; all other runs existed already. */
  readonly ran: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly held: number;
  /** Names of the experiments whose claims did not hold, apart from documented departures. */
  readonly broken: readonly string[];
  readonly experiments: readonly ExperimentDocument[];
}

interface ExperimentDocument extends Pick<Experiment, 'id' | 'title' | 'section' | 'claim' | 'departure'>, Verdict {
  /** Command that reproduces the figure. */
  readonly command: string;
  readonly series: readonly {
    readonly chart: string;
    readonly name: string;
    readonly measure: string;
    readonly unit: string;
    readonly points: readonly {
      readonly x: number | string;
      readonly y: Spread | null;
      /** Interval for the mean over seeds; null with one seed. */
      readonly interval: Interval | null;
      readonly live: number;
      readonly reached: number;
      /** Seed and digest of each run, which identify the run. */
      readonly runs: readonly Pick<RunResult, 'seed' | 'digest'>[];
    }[];
  }[];
}

/** Returns the output of `tutti figures --json`. */
export function documentOf(
  findings: readonly Finding[],
  from: Provenance,
  facts: Pick<FiguresDocument, 'extent' | 'network' | 'inputs' | 'out' | 'runs' | 'ran' | 'wallSeconds' | 'cpuSeconds'>,
): FiguresDocument {
  return {
    ...from,
    ...facts,
    held: findings.filter(({ verdict }) => verdict.holds).length,
    broken: findings.filter(isBroken).map(({ experiment }) => experiment.id),
    experiments: findings.map(experimentOf),
  };
}

/** Returns whether the claim did not hold and no departure is documented. */
function isBroken(finding: Finding): boolean {
  return !finding.verdict.holds && departureOf(finding) === undefined;
}

function experimentOf({ experiment, figure, verdict, command }: Finding): ExperimentDocument {
  const { id, title, section, claim, departure } = experiment;
  return {
    id,
    title,
    section,
    claim,
    ...verdict,
    ...(departure === undefined ? {} : { departure }),
    command,
    series: figure.charts.flatMap((chart) =>
      chart.drawn.map(({ name, measure, points }) => ({
        chart: chart.title,
        name,
        measure: measure.label,
        unit: measure.unit,
        points: points.map(({ x, y, interval, live, reached, runs }) => ({
          x,
          y: y ?? null,
          interval: interval ?? null,
          live,
          reached,
          runs: runs.map(({ seed, digest }) => ({ seed, digest })),
        })),
      })),
    ),
  };
}

/** Origin of figures, for use in a citation. */
export interface Provenance {
  readonly version: string;
  /** Commit of a clone. An installed package has only a version. */
  readonly commit?: Commit;
}

/** A commit of a clone. */
export interface Commit {
  /** Hash, 40 hexadecimal digits. */
  readonly hash: string;
  /** Date of the commit, for example `2026-11-22`. */
  readonly date: string;
  /** True if the clone has changes that are not in this commit. */
  readonly isChanged: boolean;
}

/**
 * Reads the origin from git if a repository contains the files of this package. A package that is installed inside a
 * repository's folder is not part of that repository.
 */
export function provenance(): Provenance {
  const folder = fileURLToPath(new URL('../..', import.meta.url));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    git('ls-files', '--error-unmatch', 'package.json');
    const [hash = '', date = ''] = git('log', '-1', '--format=%H %cs').split(' ');
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return { version, commit: { hash, date, isChanged } };
  } catch {
    return { version };
  }
}

/** Returns the origin as text, for example `Tutti 0.1.0, commit 405b1cc7d9 of 2026-11-22`. */
export function provenanceText({ version, commit }: Provenance): string {
  return `Tutti ${version}${commit === undefined ? '' : `, commit ${commitText(commit)}`}`;
}

/** Returns the commit as text, for example `405b1cc7d9 of 2026-11-22`. */
export function commitText({ hash, date, isChanged }: Commit): string {
  return `${hash.slice(0, 10)} of ${date}${isChanged ? ', with changes that are not in it' : ''}`;
}

/** Returns the citation of the figures and of their paper in BibTeX format. */
export function bibtex(from: Provenance): string {
  const { version, commit } = from;
  return `@software{tutti,
  title   = {{Tutti}},
  author  = {{The Tutti maintainers}},
  version = {${version}},${commit === undefined ? '' : `\n  year    = {${commit.date.slice(0, 4)}},\n  note    = {Commit ${commit.hash}}`}
}

@misc{handel,
  title         = {Handel: Practical Multi-Signature Aggregation for Large Byzantine Committees},
  author        = {B{\\'e}gassat, Olivier and Kolad, Blazej and Gailly, Nicolas and Liochon, Nicolas},
  year          = {2019},
  eprint        = {1906.05132},
  archiveprefix = {arXiv}
}
`;
}
