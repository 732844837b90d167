import { type Claim, isValidClaim } from './check.ts';

/** A worker of its own, so that the page does not stall and the simulation's code is kept apart. */
self.onmessage = ({ data }: MessageEvent<Claim>) => {
  const began = performance.now();
  const valid = isValidClaim(data);
  self.postMessage({ valid, tookMs: performance.now() - began } satisfies Verdict);
};

export interface Verdict {
  readonly valid: boolean;
  readonly tookMs: number;
}
