import { defaultHandelConfig, type HandelConfig, largestBatch, thresholdCount } from '@tutti/core';
import type { Command } from 'commander';
import { durationFlag, integerFlag, thresholdFlag } from './flags.ts';
import { UsageError } from './usageError.ts';

/** Handel's parameters, as the commands with real nodes take them. */
export interface HandelOptions {
  /** A share of the nodes up to 1, rounded up, or a count of 2 or more. */
  readonly threshold: number;
  /** ms; undefined where the command has no default of its own. */
  readonly period?: number;
  /** ms */
  readonly levelStart: number;
  readonly fastPath: number;
  /** Contributions verified together at most. */
  readonly together: number;
}

export function withHandelFlags(
  command: Command,
  period: { readonly text: string; readonly defaultMs?: number },
): Command {
  return command
    .option(
      '--threshold <share|n>',
      'contributions that an output needs: a share of the nodes up to 1, rounded up, or a count of 2 or more',
      thresholdFlag,
      0.99,
    )
    .option('--period <ms>', period.text, durationFlag('--period', 1), period.defaultMs)
    .option('--level-start <ms>', 'time between the starts of levels', durationFlag('--level-start'), 50)
    .option('--fast-path <n>', 'peers contacted at once on a complete level', integerFlag('--fast-path', 0, 4096), 10)
    .option(
      '--together <n>',
      'most contributions that a node verifies together; 1: one at a time, as in the paper',
      integerFlag('--together', 1, largestBatch),
      1,
    );
}

/**
 * @param nodes that `threshold` is a share of.
 * @throws UsageError where it is a count over those.
 */
export function handelConfig(options: Required<HandelOptions>, nodes: number): HandelConfig {
  const threshold = thresholdCount(options.threshold, nodes);
  if (threshold > nodes)
    throw new UsageError(`--threshold: expected a share, or a count up to ${nodes}, got ${threshold}`);
  return {
    ...defaultHandelConfig,
    threshold,
    disseminationPeriodMs: options.period,
    levelStartMs: options.levelStart,
    fastPathPeers: options.fastPath,
    batch: options.together,
  };
}
