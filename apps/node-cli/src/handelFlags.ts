import { defaultHandelConfig, type HandelConfig, thresholdCount } from '@tutti/core';
import { scenarioTable } from '@tutti/simulation/fields';
import type { Command } from 'commander';
import { fieldOption } from './flags.ts';
import { UsageError } from './usageError.ts';

/** Handel's parameters, as the commands with real nodes take them. */
export interface HandelFlags {
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

/**
 * Gives a command flags that mean what a scenario's do.
 *
 * @param period what help says of it, and its default where the command has one.
 */
export function withHandelFlags(
  command: Command,
  period: { readonly text: string; readonly defaultMs?: number },
): Command {
  const { threshold, periodMs, levelStartMs, fastPath, batch } = scenarioTable;
  const ofAll = 'a share of the nodes up to 1, rounded up, or a count of 2 or more';
  return command
    .addOption(fieldOption({ ...threshold, about: `contributions that an output needs: ${ofAll}` }, threshold.default))
    .addOption(fieldOption({ ...periodMs, about: period.text }, period.defaultMs))
    .addOption(fieldOption(levelStartMs, levelStartMs.default))
    .addOption(fieldOption(fastPath, fastPath.default))
    .addOption(fieldOption(batch, batch.default));
}

/**
 * @param nodes that `threshold` is a share of.
 * @throws UsageError where it is a count over those.
 */
export function handelConfig(options: Required<HandelFlags>, nodes: number): HandelConfig {
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
