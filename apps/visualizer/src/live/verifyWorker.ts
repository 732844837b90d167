import { type BlsVerifier, inThreadVerifier, loadBls } from '@tutti/wasm-bls';
import { servingKernel } from '../worker/engines.ts';
import { answerTasks } from '../worker/task.ts';
import type { VerifyRequest } from './joinLive.ts';

// This worker verifies the contributions of one round, so that pairings never block the page.
const kernel = loadBls({ engine: servingKernel() });
let verifier: Promise<BlsVerifier> | undefined;

/**
 * Answers with the verdicts on claims, in the order of the claims. The answer to the request that opens the round is an
 * empty list.
 */
answerTasks<VerifyRequest, boolean[]>(async (request) => {
  if (request.kind === 'round') {
    verifier = kernel.then((bls) => inThreadVerifier(bls.round(request.publicKeys, request.message)));
    await verifier;
    return [];
  }
  if (verifier === undefined) throw new Error('claims arrived before their round was opened');
  return (await verifier).verifyBatch(request.claims);
});
