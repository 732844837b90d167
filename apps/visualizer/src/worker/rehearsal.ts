import { MultiSignatureScheme, type SignatureVerifier } from '@tutti/core';
import type { SimulationOptions } from '@tutti/core/simulation';
import { type Bls, rehearsalMessage, rehearsalSecretKey, roundVerdicts } from '@tutti/wasm-bls';

/** The keys and signatures of a rehearsal, and the scheme that aggregates them. */
export interface Rehearsal {
  readonly message: Uint8Array;
  /** 48 bytes each, compressed G1, by position. */
  readonly publicKeys: readonly Uint8Array[];
  readonly scheme: NonNullable<SimulationOptions['scheme']>;
  /** Gives back the kernel's memory; the run must be over. */
  free(): void;
}

/**
 * Real BLS for a simulated run. All keys follow from the seed, as the command line derives them, so that both make the same
 * multi-signature; therefore they are no secrets, and sign nothing but rehearsals.
 */
export function rehearse(bls: Bls, nodes: number, seed: number, onSigned: (signed: number) => void): Rehearsal {
  const message = rehearsalMessage(seed);
  const publicKeys: Uint8Array[] = [];
  const signatures: Uint8Array[] = [];
  for (let id = 0; id < nodes; id++) {
    const secretKey = rehearsalSecretKey(bls, seed, id);
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
    scheme: (tree) => {
      const scheme = new MultiSignatureScheme({ tree, kernel: bls, verifier });
      return { scheme, individual: (id) => scheme.individual(id, signatures[id]!) };
    },
    free: () => round.free(),
  };
}
