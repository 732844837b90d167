import type { FinishedRun } from './messages.ts';
import { type Task, task } from './task.ts';

/** Reads a recording's file in a worker of its own. */
export function openRecording(file: File): Task<FinishedRun> {
  return task<File, FinishedRun>(
    new Worker(new URL('./recordingWorker.ts', import.meta.url), { type: 'module', name: 'tutti-open' }),
    'The reader of recordings',
    file,
  );
}
