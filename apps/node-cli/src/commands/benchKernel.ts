import { type BenchRow, libraries, measure, moduleSizes, operations } from '@tutti/wasm-bls/bench';
import { Command } from 'commander';
import { answer, breathe, type Context } from '../context.ts';
import { choice, type FlagsOf, flag, integer, jsonFlag, several, withFlags } from '../flags.ts';
import { Progress } from '../output/progress.ts';
import { columnTable, counted, grouped } from '../output/text.ts';

const benchFlags = {
  rounds: flag('<n>', 'number of samples per operation and library', integer(1, 1000), 7),
  only: flag(
    '<operation>',
    `one operation, repeatable: ${Object.keys(operations).join(', ')}`,
    several(choice(Object.keys(operations))),
  ),
  json: jsonFlag,
};

/** Output of `tutti bench kernel --json`. */
interface BenchKernelDocument {
  readonly rounds: number;
  /** Modules of the kernel, with their original and compressed sizes. */
  readonly modules: Readonly<Record<string, { readonly bytes: number; readonly gzipBytes: number }>>;
  readonly rows: readonly BenchRow[];
}

export function benchKernelCommand(context: Context): Command {
  const command = new Command('kernel').description(
    'Compare the kernel with other BLS libraries: the median CPU time of interleaved rounds on one thread.',
  );
  return withFlags(command, benchFlags).action(async ({ rounds, only, json }: FlagsOf<typeof benchFlags>) => {
    const progress = new Progress(context);
    const wanted = (only ?? Object.keys(operations)).length;
    let begun = 0;
    const onOperation = async (operation: string): Promise<void> => {
      await breathe(context);
      progress.update(() => `measuring: ${operation}`, { done: begun, left: wanted - begun });
      begun++;
    };
    const rows = await measure({ rounds, only, onOperation }).finally(() => progress.done());
    const document: BenchKernelDocument = { rounds, modules: moduleSizes(), rows };
    answer(context, json, document, summary(document));
  });
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
