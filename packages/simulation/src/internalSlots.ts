/**
 * What the laboratory takes of the slots that is no part of the simulation's API: apart from `internal`, so that whoever
 * only simulates Handel loads none of it.
 *
 * @internal
 */
export { keysUs } from './horn/costs/verification.ts';
export { besideMarks } from './horn/network/beside.ts';
export { type MeshExperiment, type MeshSlot, playMeshExperiment } from './slots/network/meshExperiment.ts';
export { neverStep } from './slots/slotSteps.ts';
