import { runCommittee } from '@tutti/core/experiments';
import type { CommitteeReport, CommitteeRequest } from './committeeMessages.ts';
import { pageSteps } from './slotFile.ts';

self.onmessage = ({ data: { slot, mostNodes } }: MessageEvent<CommitteeRequest>) => {
  const report = (message: CommitteeReport) => self.postMessage(message);
  try {
    report({ kind: 'done', run: runCommittee(slot, { ...pageSteps, mostNodes }) });
  } catch (error) {
    report({ kind: 'failed', message: `Handel failed: ${error instanceof Error ? error.message : String(error)}` });
  }
};
