/**
 * What this project's laboratory, command and page take of the simulation that is no part of its API: it may change with
 * any version.
 *
 * @internal
 */
export { byzantineBeforeHonest } from './attacks/firstPlaces.ts';
export { loadFactor } from './checkers/load.ts';
export { keysUs } from './horn/costs/verification.ts';
export {
  badChoice,
  badText,
  choiceText,
  durationText,
  integerText,
  numberText,
  type TextReader,
} from './text/fieldText.ts';
export { createPriorities } from './world/honest.ts';
