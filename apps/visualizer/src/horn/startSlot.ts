import type { SlotScenario } from '@tutti/core/horn';
import type { Run } from '../worker/startRun.ts';
import type { SlotIndex } from './slotIndex.ts';
import type { SlotReport, SlotRequest } from './slotMessages.ts';

export interface SlotListener {
  /** 0 to 1. */
  progress(progress: number): void;
  done(index: SlotIndex): void;
  failed(message: string): void;
}

/** Starts one slot in a worker of its own. */
export function startSlot(scenario: SlotScenario, listener: SlotListener): Run {
  const worker = new Worker(new URL('./slotWorker.ts', import.meta.url), { type: 'module', name: 'tutti-slot' });
  worker.onmessage = ({ data }: MessageEvent<SlotReport>) => {
    if (data.kind === 'progress') return listener.progress(data.progress);
    worker.terminate();
    if (data.kind === 'done') listener.done(data.index);
    else listener.failed(data.message);
  };
  worker.onerror = (event) => {
    worker.terminate();
    listener.failed(event.message || 'The slot could not be loaded; is the connection there?');
  };
  worker.postMessage({ scenario } satisfies SlotRequest);
  return { stop: () => worker.terminate() };
}
