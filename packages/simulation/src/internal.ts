/**
 * What this project's laboratory, command and page take of the simulation that is no part of its API: it may change with
 * any version.
 *
 * @internal
 */
export { byzantineBeforeHonest } from './attacks/firstPlaces.ts';
export { loadFactor } from './checkers/load.ts';
export { modelCheckerSettings } from './checks/modelChecker/setting.ts';
export { swarmSettings } from './checks/swarm/draw.ts';
export { hunt } from './checks/swarm/hunt.ts';
export { giveNetwork } from './engine/network/cityTables.ts';
export { mostPlaces } from './engine/network/matrixNetwork.ts';
export { networkText } from './engine/network/network.ts';
export { formOf } from './scenario/scenarioFields.ts';
export { type Field, scenarioTable } from './scenario/scenarioTable.ts';
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
export { createPriorities } from './world/honest.ts';
