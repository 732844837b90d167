import type { Attack } from '../attacks/attack.ts';
import { attackNamed } from '../attacks/attacks.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Extensions } from './extensions.ts';

/** An attack of a run, and the share of all nodes that play it. */
export interface RunAttack {
  readonly attack: Attack;
  readonly share: number;
  /** What it should do, if it can be chosen. */
  readonly plan: string | undefined;
}

/** The attacks of a run: those that its scenario names, then those that were handed in. */
export function attacksOfRun({ attacks }: Scenario, { attacks: handedIn = [] }: Extensions): RunAttack[] {
  return [
    ...attacks.map(({ name, share, plan }) => ({ attack: attackNamed(name)!, share, plan })),
    ...handedIn.map(({ attack, share }) => ({ attack, share, plan: undefined })),
  ];
}
