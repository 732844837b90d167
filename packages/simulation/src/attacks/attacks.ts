import { acrossLevels } from './acrossLevels.ts';
import type { Attack } from './attack.ts';
import { censor } from './censor.ts';
import { delay } from './delay.ts';
import { eclipse } from './eclipse.ts';
import { equivocate } from './equivocate.ts';
import { firstPlaces } from './firstPlaces.ts';
import { flood } from './flood.ts';
import { invalid } from './invalid.ts';
import { isolate } from './isolate.ts';
import { malformed } from './malformed.ts';
import { mixed } from './mixed.ts';
import { readPlan } from './composition.ts';
import { silent } from './silent.ts';
import { spoof } from './spoof.ts';
import { worthless } from './worthless.ts';

/**
 * All attacks: those of v1.03 section 4.1 first, then what the model allows them (2.3), then on ids (v1.0 4.3) and on
 * San Fermín (8.1).
 */
export const attacks: readonly Attack[] = [
  ...[silent, invalid, worthless, censor, mixed, acrossLevels],
  ...[flood, equivocate, malformed, spoof, delay],
  ...[firstPlaces, isolate, eclipse],
];

export function attackNamed(name: string): Attack | undefined {
  return attacks.find((attack) => attack.name === name);
}

/** Whether an attack's ids are chosen, as they cannot be where the global shuffle draws them (v1.0 section 4.3). */
export function choosesIds(name: string, plan?: string): boolean {
  if (name === acrossLevels.name) return plan !== undefined && readPlan(plan).placement !== undefined;
  return attackNamed(name)?.choose !== undefined;
}
