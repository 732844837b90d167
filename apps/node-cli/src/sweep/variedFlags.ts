import { expected } from '@tutti/core/input';
import { type Scenario, scenarioFields, validateLiveNodes } from '@tutti/simulation';
import { UsageError } from '../context.ts';
import { takeGivenNetwork } from '../files/latencyFile.ts';
import { flagOf, requireSeeds, validatedFlags } from '../flags.ts';
import { type Change, combinations, planOf, requirePoints, type SweepPlan } from './plan.ts';

/** One `--vary FIELD=VALUES`: the changes that its values make to a scenario. */
interface VariedFlag {
  readonly field: string;
  readonly changes: readonly Change[];
}

/**
 * Returns the sweep that flags define: a scenario with every combination of varied values, each with every seed.
 *
 * @param texts FIELD=VALUE,VALUE for each varied field: a scenario flag without its dashes, or a scenario field such as
 * `cpu.perMessageUs`. Semicolons separate values that contain commas.
 * @throws UsageError naming the flag.
 */
export function planOfFlags(scenario: Scenario, texts: readonly string[], seeds: number): SweepPlan {
  const varied = texts.map(variedFlag);
  const twice = varied.find(({ field }, index) => varied.findIndex((one) => one.field === field) !== index);
  if (twice !== undefined) throw new UsageError(expected('--vary', 'each field once', twice.field));
  const changes = varied.map((one) => one.changes);
  // Equal values would make the same run twice.
  const isRepeated = (of: readonly Change[]) =>
    new Set(of.map((one) => JSON.stringify(one(scenario)))).size < of.length;
  const repeated = texts.find((_, index) => isRepeated(changes[index]!));
  if (repeated !== undefined) throw new UsageError(expected('--vary', 'different values', repeated));
  validatedFlags([], () => requirePoints('--vary', [...changes.map(({ length }) => length), seeds]));
  requireSeeds(scenario.seed, seeds);
  const groups = combinations(scenario, changes);
  for (const group of groups) validatedFlags(scenarioFields, () => validateLiveNodes(group, seeds));
  return planOf(
    'simulate',
    varied.map(({ field }) => field),
    groups,
    seeds,
  );
}

function variedFlag(text: string): VariedFlag {
  const at = text.indexOf('=');
  if (at < 1 || at === text.length - 1) throw new UsageError(expected('--vary', 'FIELD=VALUE,VALUE', text));
  const [name, list] = [text.slice(0, at), text.slice(at + 1)];
  const values = list.split(list.includes(';') ? ';' : ',');
  const fields = scenarioFields.filter((one) => !one.repeatable && one.path !== 'seed');
  const field = fields.find((one) => one.name === name || one.path === name);
  if (field === undefined) {
    const known = fields.map((one) => one.name).join(', ');
    throw new UsageError(
      expected('--vary', `a field of a scenario (${known}, or a nested field such as cpu.perMessageUs)`, name),
    );
  }
  // Each file is read only once, and not for each combination with other fields.
  if (field.name === 'network') for (const value of values) flagOf(`--vary ${name}`, takeGivenNetwork)(value);
  const change =
    (value: string): Change =>
    (scenario) =>
      flagOf(`--vary ${name}`, (flag) => field.read(flag, value, scenario))(value);
  return { field: field.path, changes: values.map(change) };
}
