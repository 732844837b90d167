import type { KernelName } from './load.ts';

/** What a worker of the pool is started with. */
export interface WorkerRound {
  readonly kernel: KernelName;
  /** The registry: points of 96 bytes, one after the other, checked by the pool's thread. */
  readonly publicKeys: Uint8Array;
  readonly message: Uint8Array;
}

/** One verification; a worker has one at a time, so the answer needs no number. */
export interface VerificationRequest {
  readonly first: number;
  readonly bits: Uint8Array;
  readonly signature: Uint8Array;
}

/** A worker's only messages: that it is ready, then an answer to each request. */
export type WorkerMessage = 'ready' | boolean;
