export { checkSetupConfig, defaultSetupConfig, type SetupConfig } from './anonymous/config.ts';
export { HandleStore } from './anonymous/handleStore.ts';
export { nobody } from './anonymous/nobody.ts';
export { answerFlag, SetupMessage, SetupNode, type SetupOptions, type SetupRefusal } from './anonymous/node.ts';
export { type PlainRegistration, PlainRegistrations } from './anonymous/plainScheme.ts';
export { type DoubleRegistration, type Enrolment, Roll } from './anonymous/roll.ts';
export type { RegistrationRelation, RegistrationScheme } from './anonymous/scheme.ts';
export {
  defaultSetupScenario,
  type SetupResult,
  type SetupScenario,
  simulateSetup,
} from './simulation/setup/setup.ts';
