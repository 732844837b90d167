import { type Experiment, type Extent, scenariosFor } from '@tutti/lab';
import { UsageError } from '../usageError.ts';

/**
 * Returns experiments with all their runs on another network, which their titles name.
 *
 * @throws UsageError if one of them compares networks; the message names the others.
 */
export function onNetwork(wanted: readonly Experiment[], network: string, extent: Extent): Experiment[] {
  const compares = (one: Experiment) => new Set(scenariosFor(one, extent).map((run) => run.network)).size > 1;
  const ids = (some: readonly Experiment[]) => some.map(({ id }) => id).join(',');
  const comparing = wanted.filter(compares);
  if (comparing.length > 0) {
    const others = wanted.filter((one) => !comparing.includes(one));
    const advice = others.length === 0 ? '' : `; say --only ${ids(others)}`;
    throw new UsageError(
      `--network: expected figures whose runs are on one network, got ${ids(comparing)}, which compare networks${advice}`,
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
