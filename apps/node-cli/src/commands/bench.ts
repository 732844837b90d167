import { Command } from 'commander';
import type { Context } from '../context.ts';

/** Benchmarks by name. Only the requested one is loaded, since loading affects the measurement. */
const measured: Readonly<Record<string, (context: Context) => Promise<Command>>> = {
  simulation: async (context) => (await import('./benchSimulation.ts')).benchSimulationCommand(context),
  horn: async (context) => (await import('./benchHorn.ts')).benchHornCommand(context),
  kernel: async (context) => (await import('./benchKernel.ts')).benchKernelCommand(context),
};

/**
 * Creates the command.
 *
 * @param name name of a benchmark. If none has it, the command gets all benchmarks, for its help.
 */
export async function benchCommand(context: Context, name = ''): Promise<Command> {
  const bench = new Command('bench').description('Measure Tutti on this machine.');
  const wanted = Object.hasOwn(measured, name) ? [measured[name]!] : Object.values(measured);
  for (const command of wanted) bench.addCommand(await command(context));
  return bench;
}
