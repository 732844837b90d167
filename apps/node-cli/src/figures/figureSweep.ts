import { type Experiment, type Extent, type LabScenario, scenariosFor } from '@tutti/lab';
import { canonicalJson } from '@tutti/lab/results';
import { defaultScenario } from '@tutti/simulation';

type Fields = Readonly<Record<string, unknown>>;

/** A sweep file, as `tutti sweep` reads it. */
export interface SweepDocument {
  readonly name: string;
  readonly base: object;
  readonly vary: { readonly together: readonly object[] };
  readonly seeds: { readonly from: number; readonly count: number };
}

/**
 * Returns the sweep with the runs of a figure and of its model. The base contains the fields that all runs share, and
 * each mark is a record. If marks have different numbers of seeds, all get the largest number.
 */
export function figureSweep({ id }: Pick<Experiment, 'id'>, scenarios: readonly LabScenario[]): SweepDocument {
  const seeds = scenarios.map(({ seed }) => seed);
  const from = Math.min(...seeds);
  const marks = new Map(scenarios.map(({ seed: _, ...scenario }) => [canonicalJson(scenario), scenario]));
  const all: readonly Fields[] = [...marks.values()].map((one) => ({ ...one }));
  const usual: Fields = { ...defaultScenario };
  const isShared = (field: string) => new Set(all.map((one) => canonicalJson(one[field]))).size === 1;
  const fields = [...new Set(all.flatMap((one) => Object.keys(one)))];
  const own = (field: string) => canonicalJson(all[0]![field]) !== canonicalJson(usual[field]);
  const base = fields.filter((field) => isShared(field) && own(field));
  const varied = fields.filter((field) => !isShared(field));
  return {
    name: id,
    base: Object.fromEntries(base.map((field) => [field, all[0]![field]])),
    vary: { together: all.map((one) => Object.fromEntries(varied.map((field) => [field, one[field]]))) },
    seeds: { from, count: Math.max(...seeds) - from + 1 },
  };
}

/** Returns the {@link figureSweep} of an experiment as the text of a file. */
export function figureSweepText(experiment: Experiment, extent: Extent): string {
  return `${JSON.stringify(figureSweep(experiment, scenariosFor(experiment, extent)), null, 2)}\n`;
}
