/** Returns the message of a thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Report of a worker about one task, identified by `id`. */
type TaskReport<Result, Progress> =
  | { readonly id: number; readonly kind: 'progress'; readonly progress: Progress }
  | { readonly id: number; readonly kind: 'done'; readonly result: Result }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };

/** Request that the page sends to a worker. */
interface TaskRequest<Request> {
  readonly id: number;
  readonly request: Request;
}

/** Part of a worker's interface that tasks need. */
export interface TaskPort {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror?: ((event: ErrorEvent) => void) | null;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

/** Options of a request. */
interface AskOptions<Progress> {
  /** Called with each progress report of the worker. */
  readonly progress?: (progress: Progress) => void;
  /** Buffers in the request that the page transfers to the worker. */
  readonly transfer?: ArrayBuffer[];
}

/** Task that has not ended. */
interface OpenTask<Result, Progress> {
  resolve(result: Result): void;
  reject(error: Error): void;
  progress?: ((progress: Progress) => void) | undefined;
}

/**
 * Worker for several tasks, one after another or concurrently. On the worker's side, `answerTasks` is the counterpart
 * of this class.
 */
export class TaskWorker<Request, Result, Progress = never> {
  readonly #port: TaskPort;
  readonly #open = new Map<number, OpenTask<Result, Progress>>();
  #lastId = 0;
  /** Error with which the worker ended; undefined if the worker has not ended. */
  #lost: Error | undefined;

  /**
   * @param what name of the worker's job, such as "The simulation", for the error message if the worker cannot be
   * loaded.
   */
  constructor(port: TaskPort, what: string) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<TaskReport<Result, Progress>>) => this.#hear(data);
    port.onerror = (event) =>
      this.end(new Error(event.message || `${what} could not be loaded. Check the connection.`));
  }

  /**
   * Sends a request to the worker. If the task fails, the promise rejects with an Error that contains the worker's
   * message. If the worker has ended with an error, the promise rejects with that error. If the worker was ended without
   * an error, the promise stays pending.
   */
  ask(request: Request, { progress, transfer = [] }: AskOptions<Progress> = {}): Promise<Result> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) {
        reject(this.#lost);
        return;
      }
      this.#open.set(id, { resolve, reject, progress });
      this.#port.postMessage({ id, request } satisfies TaskRequest<Request>, transfer);
    });
  }

  /**
   * Ends the worker immediately. @param why error with which open tasks reject; without an error, open tasks stay
   * pending.
   */
  end(why?: Error): void {
    this.#port.terminate();
    if (why !== undefined) {
      this.#lost ??= why;
      for (const { reject } of this.#open.values()) reject(this.#lost);
    }
    this.#open.clear();
  }

  #hear(report: TaskReport<Result, Progress>): void {
    const open = this.#open.get(report.id);
    if (open === undefined) return;
    if (report.kind === 'progress') {
      open.progress?.(report.progress);
      return;
    }
    this.#open.delete(report.id);
    if (report.kind === 'done') open.resolve(report.result);
    else open.reject(new Error(report.message));
  }
}

/** One request to a worker. */
export interface Task<Result> {
  /**
   * Result of the task. The promise rejects with an Error that contains the worker's message. After a stop, the promise
   * stays pending.
   */
  readonly result: Promise<Result>;
  /** Ends the task immediately. No report follows after the end. */
  stop(): void;
}

/** Runs one task in a separate worker, which ends together with the task. */
export function task<Request, Result, Progress = never>(
  port: TaskPort,
  what: string,
  request: Request,
  options?: AskOptions<Progress>,
): Task<Result> {
  const worker = new TaskWorker<Request, Result, Progress>(port, what);
  return {
    result: worker.ask(request, options).finally(() => worker.end()),
    stop: () => worker.end(),
  };
}

/**
 * Returns the buffers of all typed arrays in a plain value, so that they can be transferred to another thread without
 * copying.
 */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) found.add(value.buffer as ArrayBuffer);
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) buffersOf(part, found);
  return [...found];
}

/** Result or progress report, with the buffers that the worker transfers without copying. */
export class Transferred<Result> {
  constructor(
    readonly result: Result,
    readonly buffers: ArrayBuffer[],
  ) {}
}

/** Value that a worker returns, with or without buffers to transfer. */
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

/** Part of a progress bar's interface that a task needs. */
interface TaskBar {
  readonly classList: Pick<DOMTokenList, 'toggle'>;
  value: number;
  removeAttribute(name: string): void;
}

/** Waits for one task at a time, and updates a progress bar in the meantime. */
export class OneTask {
  readonly #bar: TaskBar;
  readonly #changed: (isRunning: boolean) => void;
  #task: Task<unknown> | undefined;

  /** @param changed called when a task begins, and when a task has ended, has been stopped or has failed. */
  constructor(bar: TaskBar, changed: (isRunning: boolean) => void) {
    this.#bar = bar;
    this.#changed = changed;
  }

  get isRunning(): boolean {
    return this.#task !== undefined;
  }

  /** Sets the progress, 0 to 1. */
  set progress(share: number) {
    this.#bar.value = share;
  }

  /** Waits for a task, after stopping the previous one. */
  wait<Result>(task: Task<Result>, done: (result: Result) => void, failed: (error: Error) => void): void {
    this.stop();
    this.#bar.removeAttribute('value');
    this.#set(task);
    task.result.then(
      (result) => {
        this.#set(undefined);
        done(result);
      },
      (error: Error) => {
        this.#set(undefined);
        failed(error);
      },
    );
  }

  /** Stops the current task. After the stop, no callback is called. */
  stop(): void {
    if (this.#task === undefined) return;
    this.#task.stop();
    this.#set(undefined);
  }

  #set(task: Task<unknown> | undefined): void {
    this.#task = task;
    this.#bar.classList.toggle('busy', task !== undefined);
    this.#changed(task !== undefined);
  }
}
