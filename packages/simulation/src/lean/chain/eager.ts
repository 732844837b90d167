import { RandomStream } from '@tutti/core';
import { requireInteger } from '@tutti/core/internal';
import { proveMs } from '../costs.ts';
import type { LeanProfile } from '../profile.ts';
import { leanProfiles } from '../profiles.ts';

/**
 * One aggregator that proves whenever it has something new of its subnet (zeam#941). Raw votes are deleted once they are
 * proved, so that the next round has the own proof as a child; or they are kept, and each round proves all of them anew.
 */
export interface EagerOptions {
  readonly profile: LeanProfile;
  readonly keepsRaw: boolean;
  /** Of its subnet; each comes once a slot, evenly drawn in that time, ms since the slot began. */
  readonly votes: number;
  readonly comeMs: readonly [first: number, last: number];
  readonly slots: number;
  readonly seed: number;
}

export interface EagerResult {
  readonly proofs: number;
  /** Of them, the share with a proof as a child. */
  readonly recursiveShare: number;
  readonly meanSeconds: number;
  readonly p95Seconds: number;
  /** Of its time that the prover works. */
  readonly busyShare: number;
}

export const eagerExample: EagerOptions = {
  profile: leanProfiles['lean-2026-06']!,
  keepsRaw: false,
  votes: 31,
  comeMs: [800, 1600],
  slots: 256,
  seed: 1,
};

export function runEager({ profile, keepsRaw, votes, comeMs, slots, seed }: EagerOptions): EagerResult {
  requireInteger('votes', votes, 1, 4096);
  requireInteger('slots', slots, 1, 100_000);
  const random = new RandomStream(seed, 'lean eager');
  const { slotMs } = profile.times;
  const tookMs: number[] = [];
  let recursive = 0;
  for (let slot = 0; slot < slots; slot++) {
    const [first, last] = comeMs;
    const comes = Array.from({ length: votes }, () => first + (last - first) * random.nextUnit()).sort((a, b) => a - b);
    let proved = 0;
    for (let nowMs = comes[0]!; proved < votes && nowMs < slotMs; ) {
      const there = comes.filter((atMs) => atMs <= nowMs).length;
      // One raw vote alone is not proved (leanSpec#748).
      if (there === proved || there === 1) {
        nowMs = comes[there] ?? slotMs;
        continue;
      }
      const isRecursive = !keepsRaw && proved > 0;
      const ms = proveMs(profile.prover, keepsRaw ? there : there - proved, isRecursive ? 1 : 0, profile.cores);
      if (isRecursive) recursive++;
      tookMs.push(ms);
      proved = there;
      nowMs += ms;
    }
  }
  const sorted = [...tookMs].sort((a, b) => a - b);
  const sum = sorted.reduce((all, ms) => all + ms, 0);
  return {
    proofs: sorted.length,
    recursiveShare: recursive / sorted.length,
    meanSeconds: sum / sorted.length / 1000,
    p95Seconds: sorted[Math.ceil(0.95 * sorted.length) - 1]! / 1000,
    busyShare: sum / (slots * slotMs),
  };
}
