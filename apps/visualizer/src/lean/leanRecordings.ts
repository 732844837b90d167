import type { LeanRecording, LeanScenario } from '@tutti/ethereum/lean';
import { type Task, task } from '../worker/task.ts';
import type { SimulatedSlot } from './leanWorker.ts';

/** Starts a worker that simulates slots of post-quantum aggregation. @param name name in the browser's tools. */
export function leanWorker(name: string): Worker {
  return new Worker(new URL('./leanWorker.ts', import.meta.url), { type: 'module', name });
}

/**
 * Simulates slots one after another in a separate worker. The task's result is the number of wasted merges in all
 * slots.
 *
 * @param recorded called with the recording of each slot.
 */
export function simulateLeanSlots(
  scenarios: readonly LeanScenario[],
  recorded: (slot: SimulatedSlot) => void,
): Task<number> {
  const worker = leanWorker('tutti-lean');
  return task<readonly LeanScenario[], number, SimulatedSlot>(worker, 'The slot', scenarios, { progress: recorded });
}

/** Maximum number of cached recordings. The page shows up to four at a time. */
const maxCached = 24;

/** Cache of recorded slots by scenario. A full cache removes the least recently used recording. */
export class LeanRecordings {
  /** Recordings by the JSON text of their scenarios, in the order of their last use. */
  readonly #recordings = new Map<string, LeanRecording>();

  /** Returns the recording of a scenario, which becomes the most recently used; undefined if it is not cached. */
  get(scenario: LeanScenario): LeanRecording | undefined {
    const recording = this.#recordings.get(JSON.stringify(scenario));
    if (recording !== undefined) this.set(scenario, recording);
    return recording;
  }

  /** Stores the recording of a scenario as the most recently used. */
  set(scenario: LeanScenario, recording: LeanRecording): void {
    const key = JSON.stringify(scenario);
    this.#recordings.delete(key);
    this.#recordings.set(key, recording);
    if (this.#recordings.size > maxCached) this.#recordings.delete(this.#recordings.keys().next().value!);
  }
}
