import type { ContributionClaim } from './bls.ts';
import type { KernelName } from './load.ts';

/** What a worker of the pool is started with. */
export interface WorkerRound {
  readonly kernel: KernelName;
  /** The registry: points of 96 bytes, one after the other, checked by the pool's thread. */
  readonly publicKeys: Uint8Array;
  readonly message: Uint8Array;
}

/** Claims to verify together; a worker has one such request at a time, so the answer needs no number. */
export type VerificationRequest = readonly ContributionClaim[];

/** A worker's only messages: that it is ready, then each request's verdicts. */
export type WorkerMessage = 'ready' | readonly boolean[];
