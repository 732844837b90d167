import { createSlot } from '@tutti/core/horn';
import { buffersOf } from '../worker/buffers.ts';
import { slotIndex } from './slotIndex.ts';
import type { SlotReport, SlotRequest } from './slotMessages.ts';

self.onmessage = ({ data }: MessageEvent<SlotRequest>) => {
  try {
    const slot = createSlot(data.scenario);
    while (slot.advance(1)) report({ kind: 'progress', progress: slot.progress });
    const index = slotIndex(slot.recording());
    report({ kind: 'done', index }, buffersOf(index));
  } catch (error) {
    report({ kind: 'failed', message: `The slot failed: ${error instanceof Error ? error.message : String(error)}` });
  }
};

function report(message: SlotReport, transfer: ArrayBuffer[] = []): void {
  self.postMessage(message, { transfer });
}
