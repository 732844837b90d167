import type { Attack } from './attack.ts';
import { invalid } from './invalid.ts';
import { mixed } from './mixed.ts';
import { silent } from './silent.ts';
import { worthless } from './worthless.ts';

/** All attacks, in the order of the paper's sections. */
export const attacks: readonly Attack[] = [silent, invalid, worthless, mixed];

export function attackNamed(name: string): Attack | undefined {
  return attacks.find((attack) => attack.name === name);
}
