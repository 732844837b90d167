import { type BenchRow, libraries, measure, moduleSizes, operations } from '@tutti/wasm-bls/bench';
import { Command } from 'commander';
import { breathe, type Context } from '../context.ts';
import { badChoiceValue, integerFlag } from '../flags.ts';
import { Progress } from '../output/progress.ts';
import { columnTable, counted, grouped } from '../output/text.ts';

interface BenchKernelOptions {
  readonly rounds: number;
  readonly only?: readonly string[];
  readonly json?: boolean;
}

/** Output of `tutti bench kernel --json`. */
export interface BenchKernelDocument {
  readonly rounds: number;
  /** Modules of the kernel, with their original and compressed sizes. */
  readonly modules: Readonly<Record<string, { readonly bytes: number; readonly gzipBytes: number }>>;
  readonly rows: readonly BenchRow[];
}

export function benchKernelCommand(context: Context): Command {
  return new Command('kernel')
    .description(
      'Compare the kernel with other BLS libraries: the median CPU time of interleaved rounds on one thread.',
    )
    .option('--rounds <n>', 'samples of each', integerFlag('--rounds', 1, 1000), 7)
    .option('--only <operation>', `one operation, repeatable: ${Object.keys(operations).join(', ')}`, operationFlag)
    .option('--json', 'print one JSON document')
    .action(async ({ rounds, only, json }: BenchKernelOptions) => {
      const progress = new Progress(context);
      const wanted = (only ?? Object.keys(operations)).length;
      let begun = 0;
      const onOperation = async (operation: string): Promise<void> => {
        // Lets Ctrl-C take effect between operations.
        await breathe(context);
        progress.update(() => `measuring: ${operation}`, { done: begun, left: wanted - begun });
        begun++;
      };
      const rows = await measure({ rounds, only, onOperation }).finally(() => progress.done());
      const document: BenchKernelDocument = { rounds, modules: moduleSizes(), rows };
      context.out(json ? `${JSON.stringify(document)}\n` : summary(document));
    });
}

function operationFlag(text: string, before: readonly string[] = []): readonly string[] {
  if (Object.hasOwn(operations, text)) return [...before, text];
  const names = Object.keys(operations);
  throw badChoiceValue('--only', names, text, `one of ${names.join(', ')}`);
}

function summary({ rounds, modules, rows }: BenchKernelDocument): string {
  const cells = rows.map(({ operation, ms, ratio }) => [
    operation,
    ...libraries.map((name) => cell(ms[name], name === 'scalar' ? null : ratio[name])),
  ]);
  const sizes = Object.entries(modules).map(
    ([name, { bytes, gzipBytes }]) => `${name}: ${counted(bytes, 'byte')}, ${grouped(gzipBytes)} gzipped`,
  );
  return `Milliseconds of CPU for one call (ratio to the scalar kernel); medians of ${counted(rounds, 'round')}\n\n${columnTable(['', ...libraries], cells)}\n${sizes.join('\n')}\n`;
}

function cell(ms: number | null, ratio: number | null): string {
  if (ms === null) return '';
  const shown = grouped(ms, ms >= 1 ? 2 : 4);
  return ratio === null ? shown : `${shown} (x ${ratio.toFixed(2)})`;
}
