import { isValidSignature, type KeyedSignature } from './keyedSignature.ts';
import { answerTasks } from './task.ts';

/** Verdict on a signature, with the real time of its verification, ms. */
export interface Verification {
  readonly valid: boolean;
  readonly tookMs: number;
}

/**
 * Verifies signatures in a worker, so that the page stays responsive and the verification code is separate from the
 * simulation's code.
 */
answerTasks<KeyedSignature, Verification>((signature) => {
  const beganMs = performance.now();
  const valid = isValidSignature(signature);
  return { valid, tookMs: performance.now() - beganMs };
});
