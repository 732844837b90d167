import { requireObject } from '@tutti/core/input';
import type { ProtocolName } from '../attacks/attack.ts';
import { rangeForm, readerOf, textsIn } from '../text/fieldText.ts';
import { type AnyField, defaultScenario, requireScenario, type ScenarioRow, scenarioRows } from './scenario.ts';
import type { FieldGroup } from './scenarioTable.ts';
import type { Scenario } from './scenarioType.ts';

/**
 * One field of a scenario in text form. Flags of `tutti simulate`, parameters of a link to the page and controls in the
 * page's form are all generated from this list. Flags, links and the form can therefore each express every value.
 */
export interface ScenarioField {
  /** Name of the field's flag without the dashes, also used as the field's parameter name in a link. */
  readonly name: string;
  /** Form of the field's value in help, such as `<share>`. */
  readonly form: string;
  /** Path of the scenario's field in errors, such as `cpu.spread`. */
  readonly path: string;
  readonly about: string;
  /** The only protocols with this field; undefined if all protocols have the field. */
  readonly owners?: readonly ProtocolName[];
  /** Group of the field in help. Default: listed under the first of the field's owners, or with the run. */
  readonly group?: FieldGroup;
  /** Whether the field may be given more than once. */
  readonly repeatable: boolean;
  /** Returns the scenario's value as texts, one per repetition. */
  readonly write: (scenario: Scenario) => readonly string[];
  /**
   * Returns the scenario with the value that the text represents. For a repeatable field, the value is added to earlier
   * values.
   *
   * @throws RangeError with `label`, the expected form and the actual text.
   */
  readonly read: (label: string, text: string, scenario: Scenario) => Scenario;
}

/** All fields of a scenario, in the order in which a command names them. */
export const scenarioFields: readonly ScenarioField[] = scenarioRows.map(fieldOf);

/** Returns the form of a field's value in help, such as `<share>`. */
export function formOf(field: Pick<AnyField, 'form' | 'range'>): string {
  requireObject('field', field);
  return field.form ?? rangeForm(field.range);
}

function fieldOf({ path, field, get, set }: ScenarioRow): ScenarioField {
  const { range, default: _, ...described } = field;
  const repeatable = range.kind === 'list';
  const read = readerOf(range);
  return {
    ...described,
    form: formOf(field),
    path,
    repeatable,
    write: (scenario) => textsIn(range, get(scenario)),
    read(label, text, scenario) {
      const value = read(label, text);
      return set(scenario, repeatable ? [...(get(scenario) as readonly unknown[]), value] : value);
    },
  };
}

/**
 * Returns the name and text of each field in which `scenario` differs from `base`, in order. Fields of other protocols
 * are omitted, since they have no effect.
 *
 * @param always names of fields to include even if they do not differ.
 */
export function writeScenario(
  scenario: Scenario,
  base: Scenario = defaultScenario,
  always: readonly string[] = [],
): (readonly [name: string, text: string])[] {
  requireScenario(scenario);
  return scenarioFields.flatMap(({ name, owners, write }) => {
    if (owners?.includes(scenario.protocol) === false) return [];
    const texts = write(scenario);
    const isBase = texts.join('\n') === write(base).join('\n');
    return isBase && !always.includes(name) ? [] : texts.map((text) => [name, text] as const);
  });
}

/** Fields shown for every run, whatever their defaults. */
const alwaysNamed = ['protocol', 'nodes', 'threshold', 'network', 'dead', 'scheme', 'seed'];

/** Returns the arguments of `tutti simulate` that reproduce the run, with the same digest. */
export function scenarioArguments(scenario: Scenario): string[] {
  return writeScenario(scenario, defaultScenario, alwaysNamed).flatMap(([name, text]) => [`--${name}`, text]);
}
