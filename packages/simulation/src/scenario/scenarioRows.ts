import type { AnyRange } from '@tutti/core/input';
import { type Field, scenarioTable } from './scenarioTable.ts';
import type { Scenario } from './scenarioType.ts';

/** A field whose values are not known at compile time. */
export interface AnyField extends Omit<Field<unknown>, 'range'> {
  readonly range: AnyRange;
}

/** A row of {@link scenarioTable}, with access to its value. */
export interface ScenarioRow {
  /** Path of the scenario's field in errors, such as `cpu.spread`. */
  readonly path: string;
  /** Group of settings that contains the field, if any. */
  readonly group: keyof Scenario | undefined;
  readonly field: AnyField;
  readonly get: (scenario: Scenario) => unknown;
  /** Returns the scenario with another value. The scenario may be incomplete, with only its fields so far. */
  readonly set: (scenario: Scenario, value: unknown) => Scenario;
}

type Rows = { readonly [name: string]: AnyField | Rows };

const isField = (row: AnyField | Rows): row is AnyField => 'range' in row;

/** All fields of a scenario, in the order in which a command names them. */
export const scenarioRows: readonly ScenarioRow[] = Object.entries(scenarioTable as unknown as Rows).flatMap(
  ([name, row]) => {
    const key = name as keyof Scenario;
    if (isField(row)) return [rowOf(key, row)];
    return Object.entries(row).map(([inner, field]) => innerRowOf(key, inner, field as AnyField));
  },
);

function rowOf(key: keyof Scenario, field: AnyField): ScenarioRow {
  return {
    path: key,
    group: undefined,
    field,
    get: (scenario) => scenario[key],
    set: (scenario, value) => ({ ...scenario, [key]: value }),
  };
}

function innerRowOf(group: keyof Scenario, key: string, field: AnyField): ScenarioRow {
  const groupOf = (scenario: Scenario): Readonly<Record<string, unknown>> => ({ ...(scenario[group] as object) });
  return {
    path: `${group}.${key}`,
    group,
    field,
    get: (scenario) => groupOf(scenario)[key],
    set: (scenario, value) => ({ ...scenario, [group]: { ...groupOf(scenario), [key]: value } }),
  };
}
