import type { Attack } from './attack.ts';
import { silent } from './silent.ts';

/** All attacks, in the order of the paper's sections. */
export const attacks: readonly Attack[] = [silent];

export function attackNamed(name: string): Attack | undefined {
  return attacks.find((attack) => attack.name === name);
}
