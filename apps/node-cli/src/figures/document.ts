import type { Extent } from '@tutti/lab';
import type { Interval, RunResult, Spread } from '@tutti/simulation';
import type { InputFile } from '../output/inputs.ts';
import { type Finding, isBroken } from './finding.ts';
import type { Commit, Provenance } from './provenance.ts';

/** Output of `tutti figures --json`. */
export interface FiguresDocument {
  readonly version: string;
  /** Commit of the code, for a run from a clone. */
  readonly commit?: Commit;
  readonly extent: Extent;
  /** Network of all runs, if it differs from that of the figures. */
  readonly network?: string;
  /** The files that were read, with their hashes. */
  readonly inputs?: readonly InputFile[];
  readonly out: string;
  readonly runs: number;
  /** Number of runs that were made now; all others existed already. */
  readonly ran: number;
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  readonly held: number;
  /** Names of experiments whose claims did not hold. */
  readonly broken: readonly string[];
  readonly experiments: readonly ExperimentDocument[];
}

export interface ExperimentDocument {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly claim: string;
  readonly holds: boolean;
  readonly because: string;
  /**
   * `differs`: numbers far from the published ones, although the claim holds. `departure`: the reason why the claim is
   * known not to hold here.
   */
  readonly differs?: string;
  readonly departure?: string;
  readonly command: string;
  readonly series: readonly {
    readonly chart: string;
    readonly name: string;
    readonly measure: string;
    readonly unit: string;
    readonly points: readonly {
      readonly x: number | string;
      readonly y: Spread | null;
      /** Interval of the mean over seeds; null with one seed. */
      readonly interval: Interval | null;
      readonly live: number;
      readonly reached: number;
      /** Seed and digest of each run, which identify it. */
      readonly runs: readonly Pick<RunResult, 'seed' | 'digest'>[];
    }[];
  }[];
}

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
