import type { Scenario } from '@tutti/core/simulation';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { FinishedRun, RunProgress, RunReport, RunRequest } from './messages.ts';

export interface RunListener {
  /** Before the first event, where there are real signatures: how many nodes have signed. */
  signing(signed: number): void;
  progress(progress: RunProgress): void;
  /** What there is of the run so far. */
  partial(index: RunIndex): void;
  done(run: FinishedRun): void;
  failed(message: string): void;
}

export interface Run {
  /** Ends the run at once, wherever it is; the listener hears nothing more. */
  stop(): void;
}

/** Starts one run in a worker of its own. */
export function startRun(scenario: Scenario, listener: RunListener, options: Omit<RunRequest, 'scenario'> = {}): Run {
  const worker = new Worker(new URL('./simulationWorker.ts', import.meta.url), { type: 'module', name: 'tutti-run' });
  worker.onmessage = ({ data }: MessageEvent<RunReport>) => {
    if (data.kind === 'signing') return listener.signing(data.signed);
    if (data.kind === 'progress') return listener.progress(data.progress);
    if (data.kind === 'partial') return listener.partial(data.index);
    worker.terminate();
    if (data.kind === 'done') listener.done(data.run);
    else listener.failed(data.message);
  };
  worker.onerror = (event) => {
    worker.terminate();
    listener.failed(event.message || 'The simulation could not be loaded; is the connection there?');
  };
  worker.postMessage({ scenario, ...options } satisfies RunRequest);
  return { stop: () => worker.terminate() };
}
