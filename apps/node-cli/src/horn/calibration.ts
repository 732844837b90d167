import type { HornSystem } from '@tutti/core/horn';
import type { SlotResult } from '@tutti/ethereum';
import { UsageError } from '../usageError.ts';

type Topic = SlotResult['uncalibrated'][number];

/**
 * Whether the votes that are in reach were calibrated (docs/horn-simulation.md): where the global topic alone is
 * overloaded, they were.
 */
export function isCalibrated(uncalibrated: readonly Topic[]): boolean {
  return uncalibrated.every((topic) => topic === 'global');
}

/**
 * Refuses to compare systems by votes whose loss was drawn and not calibrated.
 *
 * @throws UsageError that names the first such system.
 */
export function requireCalibrated(
  systems: readonly { readonly system: HornSystem | 'handel'; readonly uncalibrated: readonly Topic[] }[],
): void {
  const found = systems.find(({ uncalibrated }) => !isCalibrated(uncalibrated));
  if (found === undefined) return;
  const topics = found.uncalibrated.filter((topic) => topic !== 'global');
  throw new UsageError(
    `${found.system}: the ${topics.join(' and the ')} topic is overloaded, and what is lost there was not calibrated; make checks faster (--machine, --batch, --verify-ms), or give --uncalibrated to compare all the same`,
  );
}
