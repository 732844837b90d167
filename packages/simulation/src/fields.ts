/**
 * One table of all scenario fields, with readers for their text forms. The command line, the form and the link are
 * generated from the table. Errors of the readers name the field, the expected value and the actual value.
 *
 * @example
 * ```js
 * import { scenarioTable } from '@tutti/simulation/fields';
 *
 * console.log(scenarioTable.nodes.default, scenarioTable.nodes.about);
 * ```
 *
 * ```text
 * 1024 nodes, 1 to 1048576
 * ```
 *
 * @packageDocumentation
 */

export { type AnyField, machineFields, type ScenarioRow } from './scenario/scenario.ts';
export { formOf } from './scenario/scenarioFields.ts';
export { type Field, type FieldTable, scenarioTable } from './scenario/scenarioTable.ts';
export {
  badChoice,
  badText,
  choiceText,
  durationText,
  integerText,
  numberText,
  readerOf,
  type TextReader,
  textsIn,
} from './text/fieldText.ts';
