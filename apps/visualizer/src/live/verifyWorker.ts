import { type BlsRound, loadBls } from '@tutti/wasm-bls';
import { servingKernel } from '../servingKernel.ts';
import type { VerifyAnswer, VerifyRequest } from './verifyMessages.ts';

/** Checks the contributions of one round, so that two pairings never hold up the page or its links. */
const kernel = loadBls({ kernel: servingKernel() });
let round: Promise<BlsRound> | undefined;

self.onmessage = ({ data }: MessageEvent<VerifyRequest>) => {
  if (data.kind === 'round') {
    round = kernel.then((bls) => bls.round(data.publicKeys, data.message));
    round.catch(fail);
    return;
  }
  const { id, first, bits, signature } = data;
  round?.then((opened) => answer({ kind: 'verdict', id, valid: opened.verify(first, bits, signature) })).catch(fail);
};

function fail(error: unknown): void {
  answer({ kind: 'failed', message: (error as Error).message });
}

function answer(message: VerifyAnswer): void {
  self.postMessage(message);
}
