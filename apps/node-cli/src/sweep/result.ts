import type { RunResult } from '@tutti/core';

/** A line of a sweep's output: what a run came to, under the name of its point. The same point gives the same line, whoever ran it. */
export interface SweepResult extends RunResult {
  readonly key: string;
}

/** How every such line begins; by it a torn line is told from a file that is something else. */
export const LINE_START = '{"key":"';

export function resultLine(key: string, result: RunResult): string {
  return JSON.stringify({ key, ...result } satisfies SweepResult);
}

/** @returns undefined for a text that is no such line. */
export function parseResultLine(text: string): SweepResult | undefined {
  let value: Partial<SweepResult> | null;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const spreads = [value?.timeToThresholdMs, value?.messagesSent, value?.bytesSent, value?.checked];
  const holds =
    typeof value?.key === 'string' &&
    typeof value.reached === 'number' &&
    typeof value.live === 'number' &&
    spreads.every((spread) => typeof spread?.mean === 'number' && typeof spread.max === 'number');
  return holds ? (value as SweepResult) : undefined;
}
