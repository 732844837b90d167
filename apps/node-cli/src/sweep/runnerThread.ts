import { parentPort } from 'node:worker_threads';
import { createSimulation, type Scenario } from '@tutti/core';
import type { Bls } from '@tutti/wasm-bls';
import { loadKernel } from '../kernel.ts';
import { type RehearsedScheme, rehearsedScheme } from '../rehearsedScheme.ts';
import type { ThreadReply } from '../threads/threadPool.ts';
import { describeScenario, type SweepPoint } from './point.ts';
import { resultLine } from './result.ts';

/** Loaded with the first run that needs it. */
let kernel: Promise<Bls> | undefined;

async function schemeFor(scenario: Scenario): Promise<RehearsedScheme | undefined> {
  if (scenario.scheme !== 'bls') return undefined;
  kernel ??= loadKernel();
  return rehearsedScheme(await kernel, scenario.nodes, scenario.seed, () => {});
}

/** Runs to the end without a look at the event loop: who wants this thread to stop terminates it. */
async function run({ key, scenario }: SweepPoint): Promise<string> {
  const rehearsed = await schemeFor(scenario);
  try {
    const simulation = createSimulation(scenario, rehearsed === undefined ? {} : { scheme: rehearsed.scheme });
    while (simulation.advance(1 << 20));
    return resultLine(key, simulation.result());
  } finally {
    rehearsed?.free();
  }
}

async function answer(points: readonly SweepPoint[]): Promise<ThreadReply<readonly string[]>> {
  const lines: string[] = [];
  for (const point of points) {
    try {
      lines.push(await run(point));
    } catch (error) {
      return { failed: `${describeScenario(point.scenario)}: ${error instanceof Error ? error.message : error}` };
    }
  }
  return { answer: lines };
}

parentPort?.on('message', async (points: readonly SweepPoint[]) => parentPort?.postMessage(await answer(points)));
