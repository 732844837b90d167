import { answerTasks } from './answerTasks.ts';
import { type Claim, isValidClaim } from './check.ts';

export interface Verdict {
  readonly valid: boolean;
  readonly tookMs: number;
}

/** A worker of its own, so that the page does not stall and the simulation's code is kept apart. */
answerTasks<Claim, Verdict>((claim) => {
  const began = performance.now();
  const valid = isValidClaim(claim);
  return { valid, tookMs: performance.now() - began };
});
