import { defaultHandelConfig, type HandelConfig, largestBatch } from '@tutti/core';
import type { Command } from 'commander';
import { durationFlag, type FlagReader, integerFlag, thresholdFlag } from './flags.ts';

/** Handel's parameters, as the commands with real nodes take them. */
export interface HandelOptions {
  /** Share of the nodes. */
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
  period: { readonly text: string; readonly defaultMs?: number; readonly read?: FlagReader<number> },
): Command {
  return command
    .option('--threshold <share>', 'share of the nodes that an output needs', thresholdFlag, 0.99)
    .option('--period <ms>', period.text, period.read ?? durationFlag('--period', 1), period.defaultMs)
    .option('--level-start <ms>', 'time between the starts of levels', durationFlag('--level-start'), 50)
    .option('--fast-path <n>', 'peers contacted at once on a complete level', integerFlag('--fast-path', 0, 4096), 10)
    .option(
      '--together <n>',
      'contributions that a node verifies together at most; 1: one at a time, as in the paper',
      integerFlag('--together', 1, largestBatch),
      1,
    );
}

/** @param nodes that `threshold` is a share of. */
export function handelConfig(options: Required<HandelOptions>, nodes: number): HandelConfig {
  return {
    ...defaultHandelConfig,
    threshold: Math.max(1, Math.floor(options.threshold * nodes)),
    disseminationPeriodMs: options.period,
    levelStartMs: options.levelStart,
    fastPathPeers: options.fastPath,
    batch: options.together,
  };
}
