import { MultiSignatureScheme, type SimulationOptions } from '@tutti/core';
import { type Bls, rehearsalMessage, rehearsalSecretKey } from '@tutti/wasm-bls';

/** Nodes whose keys are made between two looks at the event loop. */
const BATCH = 16;

export interface RehearsedScheme {
  readonly scheme: NonNullable<SimulationOptions['scheme']>;
  /** Gives back the kernel's memory; the run must be over. A process that ends with its run need not. */
  free(): void;
}

/**
 * Real BLS for a simulated run: keys and signatures of all nodes from the run's seed.
 *
 * @param onNode told how many nodes have signed; may throw to stop.
 */
export async function rehearsedScheme(
  bls: Bls,
  nodes: number,
  seed: number,
  onNode: (signed: number) => void,
): Promise<RehearsedScheme> {
  const message = rehearsalMessage(seed);
  const publicKeys: Uint8Array[] = [];
  const signatures: Uint8Array[] = [];
  for (let id = 0; id < nodes; id++) {
    const secretKey = rehearsalSecretKey(bls, seed, id);
    publicKeys.push(bls.publicKey(secretKey));
    signatures.push(bls.sign(secretKey, message));
    onNode(id + 1);
    if (id % BATCH === 0) await new Promise(setImmediate);
  }
  const verifier = bls.round(publicKeys, message);
  return {
    scheme: (tree) => {
      const scheme = new MultiSignatureScheme({ tree, kernel: bls, verifier });
      return { scheme, individual: (id) => scheme.individual(id, signatures[id]!) };
    },
    free: () => verifier.free(),
  };
}
