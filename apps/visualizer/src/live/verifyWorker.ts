import { type ContributionVerifier, inThreadVerifier, loadBls } from '@tutti/wasm-bls';
import { servingKernel } from '../servingKernel.ts';
import type { VerifyAnswer, VerifyRequest } from './verifyMessages.ts';

/** Checks the contributions of one round, so that two pairings never hold up the page or its links. */
const kernel = loadBls({ kernel: servingKernel() });
let verifier: Promise<ContributionVerifier> | undefined;

self.onmessage = ({ data }: MessageEvent<VerifyRequest>) => {
  if (data.kind === 'round') {
    verifier = kernel.then((bls) => inThreadVerifier(bls.round(data.publicKeys, data.message)));
    verifier.catch(fail);
    return;
  }
  const { id, claims } = data;
  verifier
    ?.then((opened) => opened.verifyBatch(claims))
    .then((verdicts) => answer({ kind: 'verdicts', id, verdicts }))
    .catch(fail);
};

function fail(error: unknown): void {
  answer({ kind: 'failed', message: (error as Error).message });
}

function answer(message: VerifyAnswer): void {
  self.postMessage(message);
}
