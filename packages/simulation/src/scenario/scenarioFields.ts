import { requireObject } from '@tutti/core/settings';
import { rangeForm, readerOf, textsIn } from '../text/fieldText.ts';
import { defaultScenario, requireScenario } from './scenario.ts';
import { type AnyField, type ScenarioRow, scenarioRows } from './scenarioRows.ts';
import type { FieldGroup } from './scenarioTable.ts';
import type { ProtocolName, Scenario } from './scenarioType.ts';

/**
 * One field of a scenario as people write it: a flag of `tutti simulate`, a parameter of a link to the page and a
 * control of its form are all made from this list, so that nothing that can be said in one of them is lost in another.
 */
export interface ScenarioField {
  /** Its flag without the dashes, and its parameter in a link. */
  readonly name: string;
  /** How its value is shown in help, such as `<share>`. */
  readonly form: string;
  /** The part of a scenario that it sets, as errors name it, such as `cpu.spread`. */
  readonly path: string;
  readonly about: string;
  /** The only protocol that has it; undefined for all. */
  readonly owner?: ProtocolName;
  /** Where help lists it; undefined: under its owner, or with the run. */
  readonly group?: FieldGroup;
  /** Whether it may be given more than once. */
  readonly repeatable: boolean;
  /** The texts that give the scenario's value, one a repetition. */
  readonly write: (scenario: Scenario) => readonly string[];
  /**
   * The scenario with the text's value; a repeatable field gets it in addition to the ones it has.
   *
   * @throws RangeError with `label`, what was expected and what came.
   */
  readonly read: (label: string, text: string, scenario: Scenario) => Scenario;
}

/** Everything that a scenario can hold, in the order in which a command names it. */
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
 * The fields that make `scenario` of `base`, by name and text, in order: those whose values differ. What belongs to
 * another protocol is left out, as it changes nothing.
 *
 * @param always names of fields that are given even where they do not differ.
 */
export function writeScenario(
  scenario: Scenario,
  base: Scenario = defaultScenario,
  always: readonly string[] = [],
): (readonly [name: string, text: string])[] {
  requireScenario(scenario);
  return scenarioFields.flatMap(({ name, owner, write }) => {
    if (owner !== undefined && owner !== scenario.protocol) return [];
    const texts = write(scenario);
    const isBase = texts.join('\n') === write(base).join('\n');
    return isBase && !always.includes(name) ? [] : texts.map((text) => [name, text] as const);
  });
}

/** What everybody wants to see of a run, whatever its default. */
const alwaysNamed = ['protocol', 'nodes', 'threshold', 'network', 'dead', 'scheme', 'seed'];

/** The arguments of `tutti simulate` that make the same run, with the same digest. */
export function scenarioArguments(scenario: Scenario): string[] {
  return writeScenario(scenario, defaultScenario, alwaysNamed).flatMap(([name, text]) => [`--${name}`, text]);
}
