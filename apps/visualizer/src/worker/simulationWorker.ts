import { createSimulation, loadNetwork, RunMemory } from '@tutti/simulation';
import { type Bls, BlsLoadError, loadBls } from '@tutti/wasm-bls';
import { maxNodesWithMessages, maxPeersWithNames, runIndex } from '../timeline/runIndex.ts';
import { servingKernel } from './engines.ts';
import { type EndOfRun, endOfRun, type InsecureRun, signInsecurely } from './insecureRun.ts';
import type { FinishedRun, RunProgress, RunRequest } from './runTasks.ts';
import { answerTasks, buffersOf, messageOf, Transferred } from './task.ts';

/** Interval between two progress reports, ms of real time. */
const reportEveryMs = 80;
/**
 * Minimum interval between two partial results of a run with a curve, ms of real time. After a partial result, the
 * simulation also runs at least `partialPauses` times as long as that result took. Partial results therefore take at
 * most a fifth of the worker's time.
 */
const partialEveryMs = 250;
const partialPauses = 4;
/** Number of events between two readings of the clock. With a curve, a single event may take milliseconds. */
const eventsAtOnce = { counting: 4096, bls: 16 } as const;

/** Names of the curve libraries for readers. Pages cannot use native blst. */
const curves: Readonly<Partial<Record<Bls['name'], string>>> = {
  'blst-wasm': 'blst in WebAssembly, with Tutti’s own field arithmetic',
  'noble-curves': 'noble-curves, pure JavaScript',
};

type OnProgress = (progress: RunProgress | Transferred<RunProgress>) => void;

answerTasks<RunRequest, FinishedRun, RunProgress>(async (request, progress) => {
  try {
    const { recordingLater, output, curve } = await simulate(request, progress);
    // The simulation can be garbage-collected at this point, which frees its nodes' memory for the recording and its
    // index.
    const index = runIndex(recordingLater(), true);
    return new Transferred({ index, output, curve }, buffersOf(index));
  } catch (error) {
    throw new Error(failureWords(error), { cause: error });
  }
});

/** Result of a run, with the name of its curve library; the name is undefined if signatures are only counted. */
interface Simulated extends EndOfRun {
  readonly curve: string | undefined;
}

async function simulate({ scenario, giveUpAfterMs, sends = true }: RunRequest, report: OnProgress): Promise<Simulated> {
  await loadNetwork(scenario.network);
  let curve: string | undefined;
  let insecureRun: InsecureRun | undefined;
  if (scenario.scheme === 'bls') {
    const bls = await loadBls({ engine: servingKernel() });
    curve = curves[bls.name];
    const due = rateLimit(reportEveryMs);
    insecureRun = signInsecurely(bls, scenario.nodes, scenario.seed, (signed) => {
      if (due()) report({ kind: 'signing', signed });
    });
  }
  const record = (sends && scenario.nodes <= maxNodesWithMessages(scenario.protocol)) || {
    sends: false,
    setsUpTo: maxPeersWithNames,
  };
  const memory = new RunMemory();
  const simulation = createSimulation(scenario, {
    record,
    memory,
    ...(insecureRun && { scheme: insecureRun.scheme }),
    ...(giveUpAfterMs !== undefined && { giveUpAfterMs }),
  });
  const progressDue = rateLimit(reportEveryMs);
  let nextPartialMs = performance.now() + partialEveryMs;
  while (simulation.advance(eventsAtOnce[scenario.scheme])) {
    if (progressDue()) {
      const { reached, live, nowUs, events } = simulation;
      report({ kind: 'running', reached, live, nowUs, events });
    }
    const beganMs = performance.now();
    if (insecureRun && beganMs >= nextPartialMs) {
      const index = runIndex(simulation.recording(), false);
      report(new Transferred({ kind: 'partial', index }, buffersOf(index)));
      const endedMs = performance.now();
      nextPartialMs = endedMs + Math.max(partialEveryMs, partialPauses * (endedMs - beganMs));
    }
  }
  const end = endOfRun(simulation, insecureRun);
  memory.free();
  return { ...end, curve };
}

function failureWords(error: unknown): string {
  if (error instanceof BlsLoadError)
    return 'The curve code could not be loaded, so real signatures are not available. Try again, or choose counted signatures.';
  return `The run failed: ${messageOf(error)}`;
}

/** Returns a function that returns true at most once per `ms` of real time. */
function rateLimit(ms: number): () => boolean {
  let last = performance.now();
  return () => {
    const now = performance.now();
    if (now - last < ms) return false;
    last = now;
    return true;
  };
}
