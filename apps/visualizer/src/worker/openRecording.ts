import type { FinishedRun, OpenRequest, RunReport } from './messages.ts';
import type { Run } from './startRun.ts';

export interface OpenListener {
  done(run: FinishedRun): void;
  failed(message: string): void;
}

/** Reads a recording's file in a worker of its own. */
export function openRecording(file: File, listener: OpenListener): Run {
  const worker = new Worker(new URL('./recordingWorker.ts', import.meta.url), { type: 'module', name: 'tutti-open' });
  worker.onmessage = ({ data }: MessageEvent<RunReport>) => {
    worker.terminate();
    if (data.kind === 'done') listener.done(data.run);
    else if (data.kind === 'failed') listener.failed(data.message);
  };
  worker.onerror = (event) => {
    worker.terminate();
    listener.failed(event.message || 'The reader of recordings could not be loaded; is the connection there?');
  };
  worker.postMessage({ file } satisfies OpenRequest);
  return { stop: () => worker.terminate() };
}
