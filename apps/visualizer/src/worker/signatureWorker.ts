import { answerTasks } from './answerTasks.ts';
import { isValidSignature, type KeyedSignature } from './keyedSignature.ts';

export interface Verification {
  readonly valid: boolean;
  readonly tookMs: number;
}

/** A worker of its own, so that the page does not stall and the simulation's code is kept apart. */
answerTasks<KeyedSignature, Verification>((claim) => {
  const began = performance.now();
  const valid = isValidSignature(claim);
  return { valid, tookMs: performance.now() - began };
});
