export { CheckFailed, type ClaimName, claims } from './simulation/checkers/claims.ts';
export {
  type BrokenClaim,
  createExplorer,
  type Exploration,
  type Explorer,
  explore,
} from './simulation/explorer/explorer.ts';
export type { ExplorerOptions } from './simulation/explorer/setting.ts';
export { type ShrinkOptions, type Shrunk, shrink } from './simulation/faults/shrink.ts';
export { randomScenario, type SwarmOptions } from './simulation/swarm/draw.ts';
export { type Broken, hunt, shrinkBroken, tryScenario } from './simulation/swarm/hunt.ts';
