import { type Experiment, type Extent, type LabScenario, scenariosFor } from '@tutti/lab';
import { validateScenario } from '@tutti/simulation';
import { machineFields } from '@tutti/simulation/fields';
import { UsageError, warn } from '../context.ts';

/**
 * Returns the experiments with all their runs on another network, and names that network in the titles.
 *
 * @throws UsageError if an experiment compares networks or needs the machines of `aws-blocks`. The message lists the
 * experiments that can run on that network.
 */
export function onNetwork(wanted: readonly Experiment[], network: string, extent: Extent): Experiment[] {
  const whyNot = wanted.map((experiment) => reasonAgainst(experiment, network, extent));
  const refused = wanted.flatMap(({ id }, index) => (whyNot[index] === undefined ? [] : [`${id} (${whyNot[index]})`]));
  if (refused.length > 0) {
    const others = wanted.filter((_, index) => whyNot[index] === undefined).map(({ id }) => id);
    const sweepAdvice =
      wanted.length === 1 && whyNot[0] === usesMachines
        ? '; use --write-sweep FILE to write a sweep of this figure, which you can run without machines'
        : '';
    const advice = others.length === 0 ? sweepAdvice : `; say --only ${others.join(',')}`;
    throw new UsageError(
      `--network: expected figures that can be run on ${network}, got ${refused.join(', ')}${advice}`,
    );
  }
  return wanted.map((experiment) => ({
    ...withScenarios(experiment, (scenario) => ({ ...scenario, network })),
    title: `${experiment.title}, on ${network}`,
  }));
}

/** Returns an experiment with the scenarios of all its runs replaced. */
function withScenarios(experiment: Experiment, change: (scenario: LabScenario) => LabScenario): Experiment {
  return {
    ...experiment,
    charts: (of) =>
      experiment.charts(of).map((chart) => ({
        ...chart,
        series: chart.series.map((series) => ({
          ...series,
          samples: series.samples.map((sample) => ({ ...sample, scenario: change(sample.scenario) })),
        })),
      })),
  };
}

/**
 * Returns an experiment whose runs do not need machines, if the network has no machines. A warning lists the replaced
 * fields.
 */
export function withoutMachines(experiment: Experiment, network: string, extent: Extent): Experiment {
  const fieldsOf = (scenario: LabScenario) => machineFields({ ...scenario, network });
  const replaced = scenariosFor(experiment, extent).flatMap((scenario) =>
    fieldsOf(scenario).map(({ path, field, get }) => `${path} ${field.default} replaces ${get(scenario)}`),
  );
  if (replaced.length === 0) return experiment;
  warn(`${experiment.id} on ${network}, which has no machines: ${[...new Set(replaced)].join(', ')}`);
  return withScenarios(experiment, (scenario) =>
    fieldsOf(scenario).reduce<LabScenario>((changed, { field, set }) => set(changed, field.default), scenario),
  );
}

const usesMachines = 'uses AWS machines';

/** Returns the reason why an experiment cannot run on the given network; undefined if it can. */
function reasonAgainst(experiment: Experiment, network: string, extent: Extent): string | undefined {
  const runs = scenariosFor(experiment, extent);
  if (new Set(runs.map((run) => run.network)).size > 1) return 'compares networks';
  try {
    for (const { goReference: _, ...scenario } of runs) validateScenario({ ...scenario, network });
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return usesMachines;
    throw error;
  }
}
