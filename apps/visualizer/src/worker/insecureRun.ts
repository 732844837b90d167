import { MultiSignatureScheme, type SignatureVerifier } from '@tutti/core';
import { bitAt } from '@tutti/core/horn';
import type { Recording, Simulation, SimulationOptions } from '@tutti/simulation';
import { type Bls, insecureSecretKey, roundVerdicts, testMessage } from '@tutti/wasm-bls';
import type { FinalOutput } from './runTasks.ts';

/** Insecure test keys and signatures of a run, with the signature scheme that aggregates the signatures. */
export interface InsecureRun {
  readonly message: Uint8Array;
  /** Public keys of the nodes by node id, in compressed G1 encoding, 48 bytes each. */
  readonly publicKeys: readonly Uint8Array[];
  readonly scheme: NonNullable<SimulationOptions['scheme']>;
  /** Frees the kernel's memory. Call this method only after the run has ended. */
  free(): void;
}

/**
 * Creates real BLS signatures for a simulated run. All keys are derived from the seed, so the page and the command line
 * produce the same multi-signature. The keys are therefore not secret, and serve only test runs.
 *
 * @param onSigned called after each signature with the number of nodes that have signed.
 */
export function signInsecurely(bls: Bls, nodes: number, seed: number, onSigned: (signed: number) => void): InsecureRun {
  const message = testMessage(seed);
  const publicKeys: Uint8Array[] = [];
  const signatures: Uint8Array[] = [];
  for (let id = 0; id < nodes; id++) {
    const secretKey = insecureSecretKey(bls, seed, id);
    publicKeys.push(bls.publicKey(secretKey));
    signatures.push(bls.sign(secretKey, message));
    onSigned(id + 1);
  }
  const round = bls.round(publicKeys, message);
  const verifier: SignatureVerifier = {
    verify: (first, bits, signature) => round.verify(first, bits, signature),
    verdicts: (claims) => roundVerdicts(round, claims),
  };
  return {
    message,
    publicKeys,
    scheme: (tree, stakes) => {
      const scheme = new MultiSignatureScheme({ tree, kernel: bls, verifier, stakes });
      return { scheme, individual: (id) => scheme.individual(id, signatures[id]!) };
    },
    free: () => round.free(),
  };
}

/** Result of a run: its recording, which is assembled on demand, and its multi-signature, if it has one. */
export interface EndOfRun {
  readonly recordingLater: () => Recording;
  readonly output: FinalOutput | undefined;
}

/**
 * Returns the final result of a run, and frees the memory of the run's curve library. The result is computed before the
 * memory is freed, because with certain attacks the result requires pending verifications.
 */
export function endOfRun(simulation: Simulation, insecureRun: InsecureRun | undefined): EndOfRun {
  try {
    const output = insecureRun && finalOutput(simulation, insecureRun);
    return { recordingLater: simulation.recordingLater(), output };
  } finally {
    insecureRun?.free();
  }
}

function finalOutput(simulation: Simulation, { message, publicKeys }: InsecureRun): FinalOutput | undefined {
  const { heaviestOutput: heaviest, scheme } = simulation;
  if (!heaviest || !(scheme instanceof MultiSignatureScheme)) return undefined;
  const { first, bits, signature } = scheme.claim(heaviest.contribution);
  const signers = Uint8Array.from(publicKeys, (_, id) => bitAt(bits, id - first));
  return { node: heaviest.node, signature: signature.slice(), signers, publicKeys, message };
}
