import { MultiSignatureScheme, type SignatureKernel, type SignatureVerifier } from '@tutti/core';
import type { Scenario, SimulationOptions } from '@tutti/simulation';
import { type BlsRound, insecureSecretKey, roundVerdicts, testMessage } from '@tutti/wasm-bls';
import { loadKernel } from './kernel.ts';

/** Number of nodes whose keys are generated between two turns of the event loop. */
const batch = 16;

export interface InsecureScheme {
  readonly scheme: NonNullable<SimulationOptions['scheme']>;
  /** Frees the kernel's memory after the run. A process that ends with its run need not call it. */
  free(): void;
}

/** A signature scheme with the insecure keys and the signatures of one run's nodes. */
interface InsecureKeys {
  readonly kernel: SignatureKernel;
  sign(id: number): { readonly publicKey: Uint8Array; readonly signature: Uint8Array };
  round(publicKeys: readonly Uint8Array[]): BlsRound;
}

/**
 * Creates real signatures for a simulated run. Keys and signatures of all nodes follow from the run's seed.
 *
 * @param onNode called with the number of nodes that have signed; may throw to stop.
 */
export async function insecureScheme(
  { nodes, seed }: Scenario,
  onNode: (signed: number) => void,
): Promise<InsecureScheme> {
  const { kernel, sign, round } = await insecureBls(seed);
  const publicKeys: Uint8Array[] = [];
  const signatures: Uint8Array[] = [];
  for (let id = 0; id < nodes; id++) {
    const { publicKey, signature } = sign(id);
    publicKeys.push(publicKey);
    signatures.push(signature);
    onNode(id + 1);
    if (id % batch === 0) await new Promise(setImmediate);
  }
  const opened = round(publicKeys);
  const verifier: SignatureVerifier = {
    verify: (first, bits, signature) => opened.verify(first, bits, signature),
    verdicts: (claims) => roundVerdicts(opened, claims),
  };
  return {
    scheme: (tree, stakes) => {
      const scheme = new MultiSignatureScheme({ tree, kernel, verifier, stakes });
      return { scheme, individual: (id) => scheme.individual(id, signatures[id]!) };
    },
    free: () => opened.free(),
  };
}

async function insecureBls(seed: number): Promise<InsecureKeys> {
  const bls = await loadKernel();
  const message = testMessage(seed);
  return {
    kernel: bls,
    sign(id) {
      const secretKey = insecureSecretKey(bls, seed, id);
      return { publicKey: bls.publicKey(secretKey), signature: bls.sign(secretKey, message) };
    },
    round: (publicKeys) => bls.round(publicKeys, message),
  };
}
