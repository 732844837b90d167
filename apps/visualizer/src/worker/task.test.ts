import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { indexedRun } from '../../test/recordedRun.ts';
import {
  answerTasks,
  buffersOf,
  OneTask,
  type TaskPort,
  type TaskReport,
  TaskWorker,
  Transferred,
  task,
} from './task.ts';

type Answer = (request: string, progress: (share: number) => void) => string | Promise<string>;

/** Creates the two ends of a worker with the given answers, without a thread. */
function pair(answer: Answer): { page: TaskPort; ended(): boolean } {
  const { port1, port2 } = new MessageChannel();
  const close = () => port1.close();
  onTestFinished(close);
  const answering = portOf(port2);
  answerTasks<string, string, number>(answer, answering);
  let isEnded = false;
  const page = portOf(port1, () => {
    isEnded = true;
    close();
  });
  return { page, ended: () => isEnded };
}

function portOf(port: MessagePort, terminate = () => {}): TaskPort {
  const given: TaskPort = {
    onmessage: null,
    onerror: null,
    postMessage: (message, transfer) => port.postMessage(message, transfer),
    terminate,
  };
  port.on('message', (data) => given.onmessage?.({ data } as MessageEvent));
  return given;
}

it('a task returns the result of its worker, reports its progress, and ends the worker', async () => {
  const { page, ended } = pair(async (name, progress) => {
    progress(0.5);
    return `Hello ${name}`;
  });
  const heard: number[] = [];
  const { result } = task<string, string, number>(page, 'The greeter', 'you', {
    progress: (share) => heard.push(share),
  });
  expect(await result).toBe('Hello you');
  expect(heard).toEqual([0.5]);
  expect(ended()).toBe(true);
});

it('a task that throws, at once or later, rejects with the error of the worker', async () => {
  for (const answer of [
    () => {
      throw new Error('no such name');
    },
    () => Promise.reject(new Error('no such name')),
  ]) {
    const { page } = pair(answer);
    await expect(task(page, 'The greeter', 'you').result).rejects.toThrow('no such name');
  }
});

it('answers reach their callers in any order', async () => {
  const release: (() => void)[] = [];
  const { page } = pair((name) => new Promise((resolve) => release.push(() => resolve(`Hello ${name}`))));
  const worker = new TaskWorker<string, string>(page, 'The greeter');
  const [first, second] = [worker.ask('one'), worker.ask('two')];
  await expect.poll(() => release.length).toBe(2);
  release[1]!();
  expect(await second).toBe('Hello two');
  release[0]!();
  expect(await first).toBe('Hello one');
});

it('a lost worker rejects open and later calls in one line', async () => {
  const { page, ended } = pair(() => new Promise(() => {}));
  const worker = new TaskWorker<string, string>(page, 'The greeter');
  const open = worker.ask('you');
  page.onerror!({ message: '' } as ErrorEvent);
  const words = 'The greeter could not be loaded. Check the connection.';
  await expect(open).rejects.toThrow(words);
  await expect(worker.ask('you again')).rejects.toThrow(words);
  expect(ended()).toBe(true);
});

it('a worker that was ended for a reason rejects with it; a stopped one reports nothing', async () => {
  const kept = pair(() => new Promise(() => {}));
  const worker = new TaskWorker<string, string>(kept.page, 'The greeter');
  const open = worker.ask('you');
  worker.end(new Error('the round is closed'));
  await expect(open).rejects.toThrow('the round is closed');

  const { page, ended } = pair((name) => name);
  const stopped = task<string, string>(page, 'The greeter', 'you');
  let heard = false;
  stopped.result.finally(() => {
    heard = true;
  });
  stopped.stop();
  page.onmessage!({ data: { id: 1, kind: 'done', result: 'late' } } as MessageEvent);
  await Promise.resolve();
  expect([ended(), heard]).toEqual([true, false]);
});

it('transfers the buffers of a result without copies', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const bytes = new Uint8Array(8);
  answerTasks<null, Uint8Array>(() => new Transferred(bytes, [bytes.buffer]), portOf(port2));
  expect(await task<null, Uint8Array>(portOf(port1), 'The giver', null).result).toEqual(new Uint8Array(8));
  expect(bytes.length).toBe(0);
});

it('transfers a whole run without copies', () => {
  const index = indexedRun({ nodes: 33 });
  const held = index.grid.held.slice();
  const received = structuredClone(index, { transfer: buffersOf(index) });
  expect(received.grid.held).toEqual(held);
  expect(buffersOf(index).map((buffer) => buffer.byteLength)).toEqual(buffersOf(index).map(() => 0));
});

/** Creates a fake worker whose reports the test controls. */
function aWorker() {
  const port: TaskPort & { ended: boolean } = {
    onmessage: null,
    ended: false,
    postMessage: () => {},
    terminate: () => {
      port.ended = true;
    },
  };
  const says = (report: TaskReport<string, never>) => port.onmessage!({ data: report } as MessageEvent);
  return { port, says, task: task<string, string>(port, 'The run', 'one') };
}

function aPage() {
  const heard: string[] = [];
  const bar = {
    value: 0,
    isBusy: false,
    classList: {
      toggle: (_name: string, isOn?: boolean) => {
        bar.isBusy = isOn === true;
        return bar.isBusy;
      },
    },
    removeAttribute: () => {
      bar.value = -1;
    },
  };
  const one = new OneTask(bar, (isRunning) => heard.push(isRunning ? 'begins' : 'ends'));
  const wait = (worker: ReturnType<typeof aWorker>) =>
    one.wait(
      worker.task,
      (result) => heard.push(result),
      ({ message }) => heard.push(message),
    );
  return { heard, bar, one, wait };
}

/** Resolves after all reports have been delivered. */
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('OneTask', () => {
  it('updates the progress bar until the task ends, and reports the result afterwards', async () => {
    const { heard, bar, one, wait } = aPage();
    const worker = aWorker();
    wait(worker);
    expect([bar.isBusy, bar.value, one.isRunning]).toEqual([true, -1, true]);
    one.progress = 0.5;
    expect(bar.value).toBe(0.5);
    worker.says({ id: 1, kind: 'done', result: 'a result' });
    await soon();
    expect(heard).toEqual(['begins', 'ends', 'a result']);
    expect([bar.isBusy, one.isRunning, worker.port.ended]).toEqual([false, false, true]);
  });

  it('has ended when it reports an error', async () => {
    const { heard, bar, wait } = aPage();
    const worker = aWorker();
    wait(worker);
    worker.says({ id: 1, kind: 'failed', message: 'too large' });
    await soon();
    expect(heard).toEqual(['begins', 'ends', 'too large']);
    expect(bar.isBusy).toBe(false);
  });

  it('ignores a task that another one has replaced', async () => {
    const { heard, wait } = aPage();
    const [first, second] = [aWorker(), aWorker()];
    wait(first);
    wait(second);
    expect(first.port.ended).toBe(true);
    first.says({ id: 1, kind: 'done', result: 'the first' });
    second.says({ id: 1, kind: 'done', result: 'the second' });
    await soon();
    expect(heard).toEqual(['begins', 'ends', 'begins', 'ends', 'the second']);
  });

  it('ends once after a stop', async () => {
    const { heard, one, wait } = aPage();
    wait(aWorker());
    one.stop();
    one.stop();
    await soon();
    expect(heard).toEqual(['begins', 'ends']);
  });
});
