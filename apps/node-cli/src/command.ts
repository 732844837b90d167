/**
 * `@tutti/node-cli/command`: the parts of a `tutti` command that extensions use: flags, errors, numbers and output.
 *
 * This module also exports Commander's classes, so that a program and its commands share one copy of these classes.
 */

export { EnvironmentError, parseJson } from '@tutti/core/input';
export { FileLock, pointedTo, requireOneName, syncFolder } from '@tutti/transports/files';
export { Command, Option } from 'commander';
export { oneLine } from './commandErrors.ts';
export { answer, type Context, Interrupted, inScope, type Scope, UsageError } from './context.ts';
export type { Extension } from './extensions.ts';
export {
  badChoiceValue,
  badValue,
  choice,
  choiceFlag,
  countSetting,
  type Flag,
  type FlagReader,
  type FlagsOf,
  flag,
  flagOf,
  flagPaths,
  forceFlag,
  forceOption,
  integer,
  integerFlag,
  jobsFlag,
  jsonFlag,
  jsonOption,
  maxIn,
  numberFlag,
  ranged,
  required,
  seconds,
  seedOption,
  setting,
  several,
  svgOption,
  toggle,
  validatedFlags,
  withFlags,
  words,
} from './flags.ts';
export type { Notes } from './helpNotes.ts';
export { kernelName, loadKernel } from './kernel.ts';
export {
  type HandelFlags,
  handelConfig,
  type InsecureRunOptions,
  withHandelFlags,
  withInsecureRunFlags,
} from './nodeFlags.ts';
export {
  isStandardOutput,
  linkIfPossible,
  readSecret,
  readWhole,
  refuseToOverwrite,
  requireFile,
  requireNamed,
  requirePlace,
  writeSynced,
  writeWhole,
} from './output/files.ts';
export { Counter, Progress } from './output/progress.ts';
export {
  allCounted,
  columnTable,
  counted,
  fourDigits,
  grouped,
  pairTable,
  reachedText,
  spreadTable,
  wrapped,
} from './output/text.ts';
export { outOption, requireOut, writeStudy } from './results/tableFile.ts';
export { readFaults } from './runFiles.ts';
