import { type Claim, isValidClaim } from './check.ts';

/** Its own worker, so that neither the page stalls nor the simulation's code is near. */
self.onmessage = ({ data }: MessageEvent<Claim>) => {
  const began = performance.now();
  const valid = isValidClaim(data);
  self.postMessage({ valid, tookMs: performance.now() - began } satisfies Verdict);
};

export interface Verdict {
  readonly valid: boolean;
  readonly tookMs: number;
}
