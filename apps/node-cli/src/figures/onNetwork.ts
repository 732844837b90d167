import { type Experiment, type Extent, scenariosFor } from '@tutti/lab';
import { validateScenario } from '@tutti/simulation';
import { UsageError } from '../usageError.ts';

/**
 * Returns experiments with all their runs on another network, which their titles name.
 *
 * @throws UsageError for experiments that compare networks or need the machines of `aws-blocks`. The message lists the
 * experiments that remain.
 */
export function onNetwork(wanted: readonly Experiment[], network: string, extent: Extent): Experiment[] {
  const whyNot = wanted.map((experiment) => reasonAgainst(experiment, network, extent));
  const refused = wanted.flatMap(({ id }, index) => (whyNot[index] === undefined ? [] : [`${id} (${whyNot[index]})`]));
  if (refused.length > 0) {
    const others = wanted.filter((_, index) => whyNot[index] === undefined).map(({ id }) => id);
    const advice = others.length === 0 ? '' : `; say --only ${others.join(',')}`;
    throw new UsageError(
      `--network: expected figures that can be run on ${network}, got ${refused.join(', ')}${advice}`,
    );
  }
  return wanted.map((experiment) => ({
    ...experiment,
    title: `${experiment.title}, on ${network}`,
    charts: (of) =>
      experiment.charts(of).map((chart) => ({
        ...chart,
        series: chart.series.map((series) => ({
          ...series,
          samples: series.samples.map((sample) => ({ ...sample, scenario: { ...sample.scenario, network } })),
        })),
      })),
  }));
}

/** Returns why an experiment cannot be run on another network; undefined if it can. */
function reasonAgainst(experiment: Experiment, network: string, extent: Extent): string | undefined {
  const runs = scenariosFor(experiment, extent);
  if (new Set(runs.map((run) => run.network)).size > 1) return 'compares networks';
  try {
    for (const { goReference: _, ...scenario } of runs) validateScenario({ ...scenario, network });
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return 'uses AWS machines';
    throw error;
  }
}
