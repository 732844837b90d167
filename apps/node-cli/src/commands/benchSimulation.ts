import { integers } from '@tutti/core/input';
import { createSimulation, defaultScenario, type RunResult, type Scenario } from '@tutti/simulation';
import { Command } from 'commander';
import { answer, breathe, type Context } from '../context.ts';
import { countSetting, deadFlag, type FlagsOf, flag, integer, jsonFlag, seedFlag, withFlags } from '../flags.ts';
import { Progress } from '../output/progress.ts';
import { columnTable, counted, grouped } from '../output/text.ts';
import { expectedEvents, inlineMore, workLeft } from '../simulatedRun.ts';

const benchFlags = {
  nodes: countSetting({ default: 4096, range: integers(1, 2 ** 20), about: 'nodes' }),
  dead: flag('<share>', 'share of dead nodes', () => deadFlag, 0),
  runs: flag('<n>', 'number of runs, with consecutive seeds', integer(1, 1000), 3),
  seed: seedFlag('seed of the first run'),
  json: jsonFlag,
};

type BenchOptions = FlagsOf<typeof benchFlags>;

/** One run of the benchmark. */
interface BenchRun extends RunResult {
  /**
   * User and system CPU time of the whole process, seconds: from the process's start for the first run, and from the
   * end of the previous run for each later run.
   */
  readonly cpuSeconds: number;
  /** Wall-clock time of the same period, seconds. */
  readonly wallSeconds: number;
  /** Time for creating the nodes before the first event, seconds. */
  readonly initSeconds: number;
  readonly messagesPerCpuSecond: number;
  /** Peak memory of the process so far, bytes. */
  readonly peakRssBytes: number;
}

/** Output of `tutti bench simulation --json`. */
interface BenchSimulationDocument {
  readonly runs: readonly BenchRun[];
  /** CPU time of a fixed loop in the same process, seconds. It shows the speed of the machine during the benchmark. */
  readonly referenceLoopSeconds: number;
}

export function benchSimulationCommand(context: Context): Command {
  const command = new Command('simulation').description(
    'Measure the speed of the simulator in one process, over runs with different seeds. The first run includes the warm-up of the JavaScript engine.',
  );
  return withFlags(command, benchFlags, { nodes: 'n' }).action(async (options: BenchOptions) => {
    const document = await bench(options, context);
    answer(context, options.json, document, summary(document));
  });
}

async function bench(options: BenchOptions, context: Context): Promise<BenchSimulationDocument> {
  const runs: BenchRun[] = [];
  // Both clocks start with the process.
  let cpuBefore = 0;
  let wallBefore = 0;
  inlineMore(options.nodes * options.runs);
  for (let run = 0; run < options.runs; run++) {
    const seed = (options.seed + run) % 2 ** 32;
    const scenario: Scenario = { ...defaultScenario, nodes: options.nodes, dead: options.dead, seed };
    const { result, initSeconds } = await simulateOnce(scenario, `run ${run + 1} of ${options.runs}`, context);
    const cpu = cpuSinceStart();
    const wall = performance.now() / 1000;
    const cpuSeconds = cpu - cpuBefore;
    runs.push({
      ...result,
      cpuSeconds,
      wallSeconds: wall - wallBefore,
      initSeconds,
      messagesPerCpuSecond: Math.round(result.messagesDelivered / cpuSeconds),
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    });
    cpuBefore = cpu;
    wallBefore = wall;
  }
  return { runs, referenceLoopSeconds: referenceLoop() };
}

async function simulateOnce(
  scenario: Scenario,
  which: string,
  context: Context,
): Promise<{ result: RunResult; initSeconds: number }> {
  const began = performance.now();
  const simulation = createSimulation(scenario);
  const initSeconds = (performance.now() - began) / 1000;
  const progress = new Progress(context);
  const expected = expectedEvents(scenario);
  try {
    while (simulation.advance(1 << 20)) {
      await breathe(context);
      progress.update(
        () => `simulating: ${which}, ${counted(simulation.events, 'event')}`,
        workLeft(simulation.events, expected),
      );
    }
  } finally {
    progress.done();
  }
  return { result: simulation.result(), initSeconds };
}

/** Returns the user and system CPU time of the process since its start, seconds. */
function cpuSinceStart(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/**
 * Runs a loop with a fixed amount of work: 30 million steps over 64 MB, half arithmetic and half cache misses, like a
 * simulation.
 *
 * @returns the CPU time of the loop, seconds.
 */
function referenceLoop(): number {
  const cells = new Int32Array(1 << 24);
  const began = cpuSinceStart();
  let x = 1;
  for (let step = 0; step < 30_000_000; step++) {
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) + step;
    cells[(x >>> 8) & 0xffffff]! += x;
  }
  return cpuSinceStart() - began;
}

function summary({ runs, referenceLoopSeconds }: BenchSimulationDocument): string {
  const rows = runs.map((run) => [
    String(run.seed),
    grouped(run.messagesDelivered),
    grouped(run.messagesPerCpuSecond),
    grouped(run.cpuSeconds, 2),
    grouped(run.wallSeconds, 2),
    grouped(run.initSeconds, 2),
    grouped(run.peakRssBytes / 1e6),
    grouped(run.timeToThresholdMs.mean),
  ]);
  const head = ['seed', 'delivered', 'per CPU-second', 'CPU s', 'wall s', 'init s', 'peak MB', 'mean ms to threshold'];
  return `${columnTable(head, rows)}\nreference loop: ${grouped(referenceLoopSeconds, 2)} CPU s\n`;
}
