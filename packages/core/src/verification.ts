export { CheckFailed, type ClaimName, claims } from './simulation/checkers/claims.ts';
export { type ShrinkOptions, type Shrunk, shrink } from './simulation/faults/shrink.ts';
export {
  type BrokenClaim,
  checkModel,
  createModelChecker,
  type ModelChecker,
  type ModelCheckResult,
} from './simulation/modelChecker/modelChecker.ts';
export type { ModelCheckerOptions } from './simulation/modelChecker/setting.ts';
export { randomScenario, type SwarmOptions } from './simulation/swarm/draw.ts';
export { type Broken, hunt, shrinkBroken, tryScenario } from './simulation/swarm/hunt.ts';
