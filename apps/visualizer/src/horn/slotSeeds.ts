import type { SlotScenario } from '@tutti/ethereum';
import { SeedStrip } from '../strip/seedStrip.ts';

/** Returns a strip with the number of honest votes that attackers keep out of a slot's block. */
export function slotSeeds(host: HTMLElement): SeedStrip<SlotScenario> {
  return new SeedStrip<SlotScenario>(
    host,
    { verb: 'Eve excludes', unit: 'votes', none: 'no block is proposed', more: 'loses more votes' },
    () => new Worker(new URL('./slotSeedWorker.ts', import.meta.url), { type: 'module', name: 'tutti-slot-seeds' }),
  );
}
