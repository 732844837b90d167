import {
  type LeanSlotResult,
  leanMetrics,
  readBeamsim,
  readFuzzer,
  runLeanSlot,
  validateLeanScenario,
} from '@tutti/simulation/lean';
import { Command } from 'commander';
import { forceOption } from '../commonFlags.ts';
import type { Context } from '../context.ts';
import { flagPaths, integerFlag, validatedFlags } from '../flags.ts';
import { fromFile } from '../lean/leanFlags.ts';
import { counted, grouped } from '../numbers.ts';
import { answer } from '../output/answer.ts';
import { wrapped } from '../output/folded.ts';
import { pairTable } from '../output/tables.ts';
import { outOption, requireOut, writeStudy } from '../results/tableFile.ts';

interface Flags {
  readonly run: number;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What `tutti lean read --json` prints. */
export interface LeanReadDocument {
  readonly format: 'beamsim' | 'fuzzer';
  readonly rival: string;
  readonly subnets: number;
  readonly aggregators: number;
  readonly validators: number;
  /** Fields of the file that are not known, and those that are but are not run; what is taken in their place. */
  readonly unknown: readonly string[];
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
  readonly result: LeanSlotResult;
}

export function leanReadCommand(context: Context): Command {
  return new Command('read')
    .description("Run a slot of another simulator's file: BEAMSIM's YAML or lean-shadow-fuzzer's TOML.")
    .argument('<file>', 'ends in .toml for the fuzzer, in anything else for BEAMSIM')
    .option('--run <n>', "which of the fuzzer's runs", integerFlag('--run', 0, 1_000_000), 0)
    .addOption(outOption)
    .addOption(forceOption)
    .option('--json', 'print one JSON document')
    .action((file: string, { run, out, force, json }: Flags, self: Command) => {
      requireOut({ out, force });
      const isToml = file.endsWith('.toml');
      const { scenario, unknown, leftOut, notes } = fromFile(file, (text) =>
        isToml ? readFuzzer(text, run) : readBeamsim(text),
      );
      validatedFlags(flagPaths(self), () => validateLeanScenario(scenario));
      const { rival, subnets, aggregators, profile, seed } = scenario;
      const slot = runLeanSlot(scenario);
      const metrics = () => leanMetrics(slot.run, slot.result).map((one) => ({ rival, seed, ...one }));
      writeStudy(out, metrics, self, seed);
      const document: LeanReadDocument = {
        format: isToml ? 'fuzzer' : 'beamsim',
        ...{ rival, subnets, aggregators, validators: profile.validators },
        ...{ unknown, leftOut, notes },
        result: slot.result,
      };
      answer(context, json, document, text(document));
    });
}

function text({ format, rival, subnets, aggregators, validators, unknown, leftOut, notes, result }: LeanReadDocument) {
  const list = (names: readonly string[]) => (names.length === 0 ? 'none' : names.join(', '));
  const world = `${format}: ${rival}, ${counted(validators, 'validator')}, ${subnets} subnets, ${aggregators} aggregators\n`;
  const best = Object.entries(result.covered).map(([at, share]) => `${grouped(100 * share, 1)} % at ${at} ms`);
  return [
    wrapped(world),
    pairTable([
      ['best proof', best.join(', ')],
      ['proofs', `${result.leaves} of raw votes, ${result.merges} merges`],
      ['unknown fields', list(unknown)],
      ['not played', list(leftOut)],
      ...notes.map((note) => ['taken', note] as const),
    ]),
  ].join('\n');
}
