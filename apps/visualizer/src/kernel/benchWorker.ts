import { type Bls, loadBls } from '@tutti/wasm-bls';
import {
  DrandError,
  type DrandVerdict,
  drandChains,
  drandSchemes,
  readDrandBeacon,
  verifyDrandBeacon,
} from '@tutti/wasm-bls/drand';
import { servingKernel } from '../servingKernel.ts';
import { answerTasks } from '../worker/answerTasks.ts';
import type { BenchAnswer, BenchProgress, BenchRequest } from './benchMessages.ts';
import type { Kernel, Operation } from './figures.ts';

/** Long against a browser's clock, which may be as coarse as a millisecond. */
const sampleMs = 40;
const samples = 5;
const signers = 128;

answerTasks<BenchRequest, BenchAnswer, BenchProgress>(async (request, progress) =>
  request.ask === 'beacon' ? beacon(request.text) : { has: await measure(request.kernel, progress) },
);

const load = (kernel: Kernel, variant: 'min-pk' | 'min-sig') =>
  kernel === 'noble' ? loadBls({ kernel: 'noble', variant }) : loadBls({ arithmetic: kernel, variant });

async function measure(kernel: Kernel, progress: (report: BenchProgress) => void): Promise<boolean> {
  let both: readonly [Bls, Bls];
  try {
    both = [await load(kernel, 'min-pk'), await load(kernel, 'min-sig')];
  } catch {
    // The engine does not have that arithmetic.
    return false;
  }
  for (const [operation, run] of Object.entries(callsOf(...both)))
    progress({ operation: operation as Operation, ms: timeOf(run) });
  return true;
}

function callsOf(bls: Bls, inG1: Bls): Record<Operation, () => void> {
  const message = new TextEncoder().encode('tutti');
  const secrets = Array.from({ length: signers }, (_, i) => bls.keyGen(new Uint8Array(32).fill(i + 1)));
  const keys = secrets.map((secret) => bls.publicKey(secret));
  const signatures = secrets.map((secret) => bls.sign(secret, message));
  const [secret, key, signature] = [secrets[0]!, keys[0]!, signatures[0]!];
  const [keyInG2, signatureInG1] = [inG1.publicKey(secret), inG1.sign(secret, message)];
  const round = bls.round(keys, message);
  const half = new Uint8Array(signers / 8).fill(0x55);
  const aggregate = bls.aggregateSignatures(signatures.filter((_, i) => i % 2 === 0));
  const claims = signatures.slice(0, 32).map((own, first) => ({ first, bits: Uint8Array.of(1), signature: own }));
  const hold = (verdict: boolean): void => {
    if (!verdict) throw new Error('a signature that is right was refused');
  };
  return {
    sign: () => void bls.sign(secret, message),
    verify: () => hold(bls.verify(key, message, signature)),
    'min-sig-sign': () => void inG1.sign(secret, message),
    'min-sig-verify': () => hold(inG1.verify(keyInG2, message, signatureInG1)),
    'decode-key': () => hold(bls.validatePublicKey(key).ok),
    'decode-signature': () => hold(bls.decodeSignature(signature).ok),
    round: () => hold(round.verify(0, half, aggregate)),
    'batch-32': () => hold(round.verifyBatch(claims)),
  };
}

/** The least of some samples: the others include what else the machine did. */
function timeOf(run: () => void): number {
  let calls = 1;
  while (timed(run, calls) < sampleMs) calls *= 2;
  return Math.min(...Array.from({ length: samples }, () => timed(run, calls) / calls));
}

function timed(run: () => void, calls: number): number {
  const started = performance.now();
  for (let i = 0; i < calls; i++) run();
  return performance.now() - started;
}

const faults: Readonly<Record<Exclude<DrandVerdict, 'valid'>, string>> = {
  randomness: 'its randomness is not the SHA-256 of its signature',
  'no-previous-signature': 'the round before it is missing',
  'previous-signature': '"previous_signature" has another length than a signature of its chain',
  signature: 'the signature is not that of the chain on this round',
};

async function beacon(text: string): Promise<BenchAnswer> {
  try {
    const read = readDrandBeacon(JSON.parse(text));
    const chain = read.previousSignature === undefined ? drandChains.quicknet : drandChains.default;
    const bls = await loadBls({ kernel: servingKernel(), variant: drandSchemes[chain.scheme].variant });
    const verdict = verifyDrandBeacon(bls, chain, read);
    const words = `round ${read.round} of ${chain.name}, under the key ${chain.publicKey.slice(0, 16)}…, says ${bls.name}`;
    return verdict === 'valid'
      ? { valid: true, words: `Valid: ${words}.` }
      : { valid: false, words: `Not valid: ${words}: ${faults[verdict]}.` };
  } catch (error) {
    if (error instanceof DrandError) return { valid: false, words: `Not a round: ${error.message}.` };
    if (error instanceof SyntaxError) return { valid: false, words: 'Not a round: expected JSON.' };
    throw error;
  }
}
