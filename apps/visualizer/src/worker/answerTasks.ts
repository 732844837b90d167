import { messageOf, type TaskPort, type TaskReport, type TaskRequest } from './task.ts';

/** Returns the buffers of all typed arrays within a plain value, for transfer to another thread without a copy. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) buffersOf(part, found);
  return [...found];
}

/** Result with the buffers that the worker transfers without a copy. */
export class Transferred<Result> {
  constructor(
    readonly result: Result,
    readonly buffers: ArrayBuffer[],
  ) {}
}

type Given<Value> = Value | Transferred<Value>;

/**
 * Worker side of a `TaskWorker`: answers each request with the result or the error of `answer`. A waiting task does not
 * delay later tasks.
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
