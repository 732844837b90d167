import { defaultHandelConfig, type HandelConfig, thresholdCount } from '@tutti/core';
import { scenarioTable } from '@tutti/simulation/fields';
import type { Command } from 'commander';
import { fieldOption } from './flags.ts';
import { UsageError } from './usageError.ts';

/** Parameters of Handel as flags of the commands with real nodes. */
export interface HandelFlags {
  /** Threshold: a share of the nodes, at most 1 and rounded up, or a count of at least 2. */
  readonly threshold: number;
  /** Dissemination period, ms; undefined if the command has no default of its own. */
  readonly period?: number;
  /** Time between the starts of levels, ms. */
  readonly levelStart: number;
  readonly fastPath: number;
  /** Maximum number of contributions verified together. */
  readonly batch: number;
}

/**
 * Adds flags with the same meaning as the fields of a scenario.
 *
 * @param period help text, and the default if the command has one.
 */
export function withHandelFlags(
  command: Command,
  period: { readonly text: string; readonly defaultMs?: number },
): Command {
  const { threshold, periodMs, levelStartMs, fastPath, batch } = scenarioTable;
  const ofAll = 'a share of the nodes, at most 1 and rounded up, or a count of at least 2';
  return command
    .addOption(
      fieldOption({ ...threshold, about: `contributions required for an output: ${ofAll}` }, threshold.default),
    )
    .addOption(fieldOption({ ...periodMs, about: period.text }, period.defaultMs))
    .addOption(fieldOption(levelStartMs, levelStartMs.default))
    .addOption(fieldOption(fastPath, fastPath.default))
    .addOption(fieldOption(batch, batch.default));
}

/**
 * Returns Handel's parameters from the flags.
 *
 * @param nodes number of nodes, for a `threshold` that is a share.
 * @throws UsageError if the threshold is a count over `nodes`.
 */
export function handelConfig(options: Required<HandelFlags>, nodes: number): HandelConfig {
  const threshold = thresholdCount(options.threshold, nodes);
  if (threshold > nodes)
    throw new UsageError(`--threshold: expected a share, or a count of at most ${nodes}, got ${threshold}`);
  return {
    ...defaultHandelConfig,
    threshold,
    disseminationPeriodMs: options.period,
    levelStartMs: options.levelStart,
    fastPathPeers: options.fastPath,
    batch: options.batch,
  };
}
