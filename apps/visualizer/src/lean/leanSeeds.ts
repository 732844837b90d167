import type { LeanScenario } from '@tutti/ethereum/lean';
import { SeedStrip } from '../strip/seedStrip.ts';

/** Returns a strip with the number of wasted merges of a slot. */
export function leanSeeds(host: HTMLElement): SeedStrip<LeanScenario> {
  return new SeedStrip<LeanScenario>(
    host,
    { verb: '', unit: 'wasted merges', none: 'no slot ends', more: 'wastes more merges' },
    () => new Worker(new URL('./leanSeedWorker.ts', import.meta.url), { type: 'module', name: 'tutti-lean-seeds' }),
  );
}
