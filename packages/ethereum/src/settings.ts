/**
 * Settings of slots as tables: names, ranges and defaults, machines and attacks. The module does not load the code that
 * runs a slot, so a command or a page can show the settings first.
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
export { hornAttacks } from './horn/attacks.ts';
export {
  bandwidthRatios,
  batchedMs,
  defaultMachine,
  keySumsSetting,
  machineNames,
  machines,
  type VerificationCosts,
} from './horn/costs.ts';
export { clientSettings } from './horn/network/client.ts';
export { gossipSettings } from './horn/network/gossipsub.ts';
export { networkSettings, slotLengths, votingSettings } from './horn/network/scenario.ts';
export { additions, defaultSlotScenario, type SlotScenario, slotRanges, slotSettings } from './slots/slotScenario.ts';
