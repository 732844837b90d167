/**
 * Settings of slots as tables: names, ranges and defaults, and the other parts of slots that the laboratory, the command
 * and the page share.
 *
 * @example
 * ```js
 * import { slotSettings } from '@tutti/ethereum/settings';
 *
 * console.log(Object.keys(slotSettings).length > 0);
 * ```
 *
 * ```text
 * true
 * ```
 *
 * @packageDocumentation
 */
export { defaultMachine } from './horn/costs/machines.ts';
export { keySumsSetting, keysUs } from './horn/costs/verification.ts';
export { besideMarks } from './horn/network/beside.ts';
export { clientSettings } from './horn/network/client.ts';
export { gossipSettings } from './horn/network/gossipsub.ts';
export { networkSettings, slotLengths, votingSettings } from './horn/network/scenario.ts';
export { profileCounts } from './lean/profile.ts';
export { deadlines, leanSettings } from './lean/slot/scenario.ts';
export { chainSettings } from './slots/network/chain.ts';
export { type MeshExperiment, type MeshSlot, runMeshExperiment } from './slots/network/meshExperiment.ts';
export { additions, slotRanges, slotSettings } from './slots/slotScenario.ts';
export { neverStep } from './slots/slotSteps.ts';
