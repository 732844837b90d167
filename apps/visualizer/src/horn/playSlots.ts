import type { CommitteeRun } from '@tutti/core/experiments';
import { type HornSystem, hornSystems, type SlotScenario } from '@tutti/core/horn';
import type { Run } from '../worker/startRun.ts';
import type { CommitteeReport, CommitteeRequest } from './committeeMessages.ts';
import type { SlotLane } from './slotFile.ts';
import { startSlot } from './startSlot.ts';

export interface SlotsListener {
  /** @param share of the system's slot, 0 to 1. */
  progress(system: HornSystem, share: number): void;
  /** All three systems, in the order of `hornSystems`. */
  slots(lanes: readonly SlotLane[]): void;
  /** Handel on one of the committees, after that. */
  committee(run: CommitteeRun): void;
  failed(message: string): void;
}

/** Plays one slot with each system, and Handel on one of its committees, one after another, each in a worker. */
export function playSlots(scenario: SlotScenario, mostNodes: number, listener: SlotsListener): Run {
  let now: Run | undefined;
  const lanes: SlotLane[] = [];
  const next = (): void => {
    const system = hornSystems[lanes.length];
    if (system === undefined) {
      listener.slots(lanes);
      now = startCommittee(scenario, mostNodes, listener);
      return;
    }
    now = startSlot(
      { ...scenario, system },
      {
        progress: (share) => listener.progress(system, share),
        done: ({ result, steps }) => {
          lanes.push({ result, steps });
          next();
        },
        failed: (message) => listener.failed(message),
      },
    );
  };
  next();
  return { stop: () => now?.stop() };
}

function startCommittee(
  slot: SlotScenario,
  mostNodes: number,
  { committee, failed }: Pick<SlotsListener, 'committee' | 'failed'>,
): Run {
  const worker = new Worker(new URL('./committeeWorker.ts', import.meta.url), {
    type: 'module',
    name: 'tutti-committee',
  });
  worker.onmessage = ({ data }: MessageEvent<CommitteeReport>) => {
    worker.terminate();
    if (data.kind === 'done') committee(data.run);
    else failed(data.message);
  };
  worker.onerror = (event) => {
    worker.terminate();
    failed(event.message || 'Handel could not be loaded; is the connection there?');
  };
  worker.postMessage({ slot, mostNodes } satisfies CommitteeRequest);
  return { stop: () => worker.terminate() };
}
