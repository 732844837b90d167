import { messageOf } from '../messageOf.ts';
import type { TaskPort, TaskReport, TaskRequest } from './task.ts';

/** A result, and its buffers, which the worker gives away instead of copying them. */
export class Transferred<Result> {
  constructor(
    readonly result: Result,
    readonly buffers: ArrayBuffer[],
  ) {}
}

type Given<Value> = Value | Transferred<Value>;

/**
 * The worker's side of a `TaskWorker`: answers each request by what `answer` returns or throws. Tasks that wait do not
 * keep later ones waiting.
 */
export function answerTasks<Request, Result, Progress = never>(
  answer: (request: Request, progress: (progress: Given<Progress>) => void) => Given<Result> | Promise<Given<Result>>,
  port: Pick<TaskPort, 'onmessage' | 'postMessage'> = self as unknown as TaskPort,
): void {
  const post = (message: TaskReport<Result, Progress>, transfer: ArrayBuffer[]) => port.postMessage(message, transfer);
  port.onmessage = async ({ data: { id, request } }: MessageEvent<TaskRequest<Request>>) => {
    try {
      const given = await answer(request, (value) => {
        const [progress, buffers] = parted(value);
        post({ id, kind: 'progress', progress }, buffers);
      });
      const [result, buffers] = parted(given);
      post({ id, kind: 'done', result }, buffers);
    } catch (error) {
      post({ id, kind: 'failed', message: messageOf(error) }, []);
    }
  };
}

function parted<Value>(given: Given<Value>): [Value, ArrayBuffer[]] {
  return given instanceof Transferred ? [given.result, given.buffers] : [given, []];
}
