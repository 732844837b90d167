import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotScenario } from '@tutti/ethereum';
import type { CommitteeRun } from '@tutti/lab';
import { type Task, task } from '../worker/task.ts';
import type { SlotLane } from './slotFile.ts';
import type { SlotIndex } from './slotIndex.ts';

/** Starts one slot in a separate worker. @param progress receives the progress, 0 to 1. */
export function startSlot(scenario: SlotScenario, progress: (share: number) => void): Task<SlotIndex> {
  const worker = new Worker(new URL('./slotWorker.ts', import.meta.url), { type: 'module', name: 'tutti-slot' });
  return task<SlotScenario, SlotIndex, number>(worker, 'The slot', scenario, { progress });
}

/** Request to the worker that runs Handel on a committee of a slot. */
export interface CommitteeRequest {
  readonly slot: SlotScenario;
  readonly maxNodes: number;
}

interface SlotsListener {
  /** @param share progress within the system's slot, 0 to 1. */
  progress(system: HornSystem, share: number): void;
  /** Called with the results of all three systems, in the order of `hornSystems`. */
  slots(lanes: readonly SlotLane[]): void;
  /** Called afterwards with the result of Handel on one of the committees. */
  committee(run: CommitteeRun): void;
  failed(message: string): void;
}

/** Simulates one slot with each system, and Handel on one of its committees, one after another, each in a worker. */
export function runSlots(scenario: SlotScenario, maxNodes: number, listener: SlotsListener): { stop(): void } {
  let now: Task<unknown> | undefined;
  const run = <Result>(started: Task<Result>): Promise<Result> => {
    now = started;
    return started.result;
  };
  const runAll = async (): Promise<void> => {
    const lanes: SlotLane[] = [];
    for (const system of hornSystems) {
      const started = startSlot({ ...scenario, system }, (share) => listener.progress(system, share));
      const { result, steps } = await run(started);
      lanes.push({ result, steps });
    }
    listener.slots(lanes);
    listener.committee(await run(startCommittee({ slot: scenario, maxNodes })));
  };
  runAll().catch((error: Error) => listener.failed(error.message));
  return { stop: () => now?.stop() };
}

function startCommittee(request: CommitteeRequest): Task<CommitteeRun> {
  const worker = new Worker(new URL('./committeeWorker.ts', import.meta.url), {
    type: 'module',
    name: 'tutti-committee',
  });
  return task<CommitteeRequest, CommitteeRun>(worker, 'Handel', request);
}
