import { parentPort, workerData } from 'node:worker_threads';
import { loadBls } from './load.ts';
import { roundVerdicts } from './round-verdicts.ts';
import { PUBLIC_KEY_POINT_BYTES } from './suite.ts';
import type { VerificationRequest, WorkerMessage, WorkerRound } from './verifier-messages.ts';

const { kernel, publicKeys, message } = workerData as WorkerRound;
const bls = await loadBls({ kernel });
const keys = Array.from({ length: publicKeys.length / PUBLIC_KEY_POINT_BYTES }, (_, i) =>
  publicKeys.subarray(i * PUBLIC_KEY_POINT_BYTES, (i + 1) * PUBLIC_KEY_POINT_BYTES),
);
const round = bls.round(keys, message);
const post = (answer: WorkerMessage): void => parentPort!.postMessage(answer);

parentPort!.on('message', (claims: VerificationRequest) => post(roundVerdicts(round, claims)));
post('ready');
