import { Command } from 'commander';
import type { Context } from '../context.ts';

/** What can be measured. Only what is asked for is loaded, for loading counts in what is measured. */
const measured: Readonly<Record<string, (context: Context) => Promise<Command>>> = {
  simulation: async (context) => (await import('./benchSimulation.ts')).benchSimulationCommand(context),
  horn: async (context) => (await import('./benchHorn.ts')).benchHornCommand(context),
  kernel: async (context) => (await import('./benchKernel.ts')).benchKernelCommand(context),
};

/** @param name what to measure; if nothing has that name, the command gets all benchmarks, for its help. */
export async function benchCommand(context: Context, name = ''): Promise<Command> {
  const bench = new Command('bench').description('Measure Tutti on this machine.');
  const wanted = Object.hasOwn(measured, name) ? [measured[name]!] : Object.values(measured);
  for (const command of wanted) bench.addCommand(await command(context));
  return bench;
}
