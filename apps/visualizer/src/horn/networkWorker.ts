import { playNetworkSlot, topicSteps } from '@tutti/core/horn';
import { pageStepMs } from './networkFile.ts';
import type { NetworkReport, NetworkRequest } from './networkMessages.ts';

self.onmessage = ({ data: { scenario } }: MessageEvent<NetworkRequest>) => {
  try {
    const slot = playNetworkSlot(scenario);
    const steps = topicSteps(slot, pageStepMs);
    report({ kind: 'done', lane: { scenario, result: slot.result, steps } });
  } catch (error) {
    report({ kind: 'failed', message: `The slot failed: ${error instanceof Error ? error.message : String(error)}` });
  }
};

function report(message: NetworkReport): void {
  self.postMessage(message);
}
