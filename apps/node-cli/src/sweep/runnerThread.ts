import { parentPort } from 'node:worker_threads';
import type { LabScenario } from '@tutti/lab';
import { createSimulation, RunMemory, type Simulation, type SimulationOptions } from '@tutti/simulation';
import { unregisterNetwork } from '@tutti/simulation/engine';
import { type ReadNetworks, registerNetworks, registerParentNetworks } from '../networkFile.ts';
import { loadAllNetworks, realScheme } from '../simulatedRun.ts';
import type { ThreadReply } from '../threads/threadPool.ts';
import type { RunnerTask } from './localEngine.ts';
import { describeScenario, type SweepPoint } from './point.ts';
import { resultLine } from './resultFile.ts';

await loadAllNetworks();

/** Networks of the pool, which the points of any task may name. */
const poolNetworks = registerParentNetworks();

const memory = new RunMemory();

/** Runs a point to the end without yielding to the event loop. The run can be stopped only by ending the thread. */
async function run({ key, scenario }: SweepPoint, networks: ReadNetworks): Promise<string> {
  const scheme = await realScheme(scenario, () => {});
  try {
    const simulation = await createRun(scenario, scheme === undefined ? { memory } : { memory, scheme: scheme.scheme });
    while (simulation.advance(1 << 20));
    const { inputs } = networks[scenario.network] ?? {};
    return resultLine(key, { ...simulation.result(), ...(inputs !== undefined && { inputs }) });
  } finally {
    scheme?.free();
  }
}

/** Creates a run. The lab is loaded only for runs that model the Go reference. */
async function createRun(scenario: LabScenario, options: SimulationOptions): Promise<Simulation> {
  if (scenario.goReference === undefined) return createSimulation(scenario, options);
  return (await import('@tutti/lab')).createLabSimulation(scenario, options);
}

async function answer(task: RunnerTask): Promise<ThreadReply<readonly string[]>> {
  const { networks = {} } = task;
  registerNetworks(networks);
  try {
    return await runAll(task, networks);
  } finally {
    // A later task may have a different network with the same name.
    for (const name of Object.keys(networks)) unregisterNetwork(name);
  }
}

/** Runs the points of a task until one of them fails. */
async function runAll({ points }: RunnerTask, networks: ReadNetworks): Promise<ThreadReply<readonly string[]>> {
  const lines: string[] = [];
  for (const point of points) {
    try {
      lines.push(await run(point, { ...poolNetworks, ...networks }));
    } catch (error) {
      return { failed: `${describeScenario(point.scenario)}: ${error instanceof Error ? error.message : error}` };
    }
  }
  return { answer: lines };
}

parentPort?.on('message', async (task: RunnerTask) => parentPort?.postMessage(await answer(task)));
