import { type Experiment, type Extent, type LabScenario, scenariosFor } from '@tutti/lab';
import { canonicalJson } from '@tutti/lab/results';
import { defaultScenario } from '@tutti/simulation';
import type { Fields } from '../sweep/sweptFields.ts';

/** A sweep file in the form that `tutti sweep` reads. */
interface SweepFile {
  readonly name: string;
  readonly base: object;
  readonly vary: { readonly together: readonly object[] };
  readonly seeds: { readonly from: number; readonly count: number };
}

/**
 * Returns the sweep with the runs of a figure and of the figure's model. The base of the sweep contains the fields that
 * all runs share and that differ from the default scenario, and each mark is a record. Every mark gets all seeds from
 * the smallest to the largest seed over all marks.
 */
function figureSweep({ id }: Pick<Experiment, 'id'>, scenarios: readonly LabScenario[]): SweepFile {
  const seeds = scenarios.map(({ seed }) => seed);
  const from = Math.min(...seeds);
  const marks = new Map(scenarios.map(({ seed: _, ...scenario }) => [canonicalJson(scenario), scenario]));
  const all: readonly Fields[] = [...marks.values()].map((one) => ({ ...one }));
  const usual: Fields = { ...defaultScenario };
  const isShared = (field: string) => new Set(all.map((one) => canonicalJson(one[field]))).size === 1;
  const fields = [...new Set(all.flatMap((one) => Object.keys(one)))];
  const differsFromDefault = (field: string) => canonicalJson(all[0]![field]) !== canonicalJson(usual[field]);
  const base = fields.filter((field) => isShared(field) && differsFromDefault(field));
  const varied = fields.filter((field) => !isShared(field));
  return {
    name: id,
    base: Object.fromEntries(base.map((field) => [field, all[0]![field]])),
    vary: { together: all.map((one) => Object.fromEntries(varied.map((field) => [field, one[field]]))) },
    seeds: { from, count: Math.max(...seeds) - from + 1 },
  };
}

/** Returns the text of a file with the {@link figureSweep} of an experiment. */
export function figureSweepText(experiment: Experiment, extent: Extent): string {
  return `${JSON.stringify(figureSweep(experiment, scenariosFor(experiment, extent)), null, 2)}\n`;
}
