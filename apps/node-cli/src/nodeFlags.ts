import { defaultHandelConfig, type HandelConfig, thresholdCount } from '@tutti/core';
import { seedSetting } from '@tutti/core/input';
import { scenarioTable } from '@tutti/simulation/fields';
import { type Impairment, noImpairment, type PriorityRows, priorityRows } from '@tutti/transports';
import type { Command } from 'commander';
import { UsageError } from './context.ts';
import {
  badChoiceValue,
  badValue,
  choice,
  type FlagReader,
  fieldOption,
  flag,
  numberFlag,
  optionOf,
  seedOption,
} from './flags.ts';

/** Parameters of Handel, as flags of the commands with real nodes. */
export interface HandelFlags {
  /** Threshold: a share of the nodes, at most 1 and rounded up to a number of nodes, or a count of at least 2. */
  readonly threshold: number;
  /** Dissemination period, ms; undefined if neither the user nor the command gives one. */
  readonly period?: number;
  /** Interval between the starts of consecutive levels, ms. */
  readonly levelStart: number;
  /** Number of peers that a node contacts immediately when a level is complete. */
  readonly fastPath: number;
  /** Maximum number of contributions that a node verifies together. */
  readonly batch: number;
}

/**
 * Adds flags with the same meaning as the fields of a scenario.
 *
 * @param period help text, and the default value if the command has one.
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
 * Returns the parameters of Handel according to the flags.
 *
 * @param nodes number of nodes, for a `threshold` given as a share.
 * @throws UsageError if the threshold is a count larger than `nodes`.
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

export const prioritiesFlag = flag(
  '<name>',
  'verification priorities of the nodes, which all nodes must agree on: independent or shifted rows',
  choice(priorityRows),
  'independent',
);

/** Options for nodes with insecure test keys. */
export interface InsecureRunOptions {
  readonly message: string;
  readonly seed: number;
  readonly priorities: PriorityRows;
  /** Time limit, seconds. */
  readonly timeout: number;
}

/**
 * Adds the options for nodes with insecure test keys.
 *
 * @param words descriptions of the message, of the data that the seed determines, and of the timeout with its default
 * in seconds.
 */
export function withInsecureRunFlags(
  command: Command,
  words: { readonly message: string; readonly seed: string; readonly timeout: string; readonly timeoutSeconds: number },
): Command {
  return command
    .option('--message <text>', words.message, 'tutti')
    .addOption(seedOption(`${seedSetting.about}; the same seed gives the same ${words.seed}`))
    .addOption(optionOf('priorities', prioritiesFlag))
    .option(
      '--timeout <s>',
      `time after which the command fails${words.timeout}`,
      numberFlag('--timeout', 'seconds, a number greater than 0 and at most 3600', (s) => s > 0 && s <= 3600),
      words.timeoutSeconds,
    );
}

const impairments = ['loss', 'duplication', 'reordering'];

/** Reads NAME=SHARE,...: impairments, each with the share of packets that the impairment affects. */
export const impairmentFlag: FlagReader<Impairment> = (text) => {
  const shares = text.split(',').map((part) => {
    const [, name = '', share = ''] = /^([a-z]+)=(.+)$/.exec(part) ?? [];
    const expected = `NAME=SHARE,..., where NAME is one of ${impairments.join(', ')}`;
    if (!impairments.includes(name)) throw badChoiceValue('--impair', impairments, text, expected, name);
    const read = numberFlag('--impair', 'a share from 0 to less than 1 after each =', (value) => value < 1);
    return [name, read(share)] as const;
  });
  if (new Set(shares.map(([name]) => name)).size < shares.length)
    throw badValue('--impair', 'each impairment at most once', text);
  return { ...noImpairment, ...Object.fromEntries(shares) };
};
