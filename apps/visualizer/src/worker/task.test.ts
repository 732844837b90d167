import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import { indexedRun } from '../../test/recordedRun.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { answerTasks, buffersOf, OneTask, type Task, type TaskPort, TaskWorker, Transferred, task } from './task.ts';

type Answer = (request: string, progress: (share: number) => void) => string | Promise<string>;

/** Creates the two ends of a worker that gives the specified answers, without a thread. */
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

it.each<[when: string, Answer]>([
  [
    'at once',
    () => {
      throw new Error('no such name');
    },
  ],
  ['later', () => Promise.reject(new Error('no such name'))],
])('a task that throws %s rejects with the error of the worker', async (_, answer) => {
  await expect(task(pair(answer).page, 'The greeter', 'you').result).rejects.toThrow('no such name');
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

it.each<[how: string, end: (worker: TaskWorker<string, string>, page: TaskPort) => void, words: string]>([
  ['ends for a reason', (worker) => worker.end(new Error('the round is closed')), 'the round is closed'],
  [
    'is lost',
    (_, page) => page.onerror!({ message: '' } as ErrorEvent),
    'The greeter could not be loaded. Check the connection.',
  ],
])('a worker that %s rejects open and later calls in one line', async (_, end, words) => {
  const { page, ended } = pair(() => new Promise(() => {}));
  const worker = new TaskWorker<string, string>(page, 'The greeter');
  const open = worker.ask('you');
  end(worker, page);
  await expect(open).rejects.toThrow(words);
  await expect(worker.ask('you again')).rejects.toThrow(words);
  expect(ended()).toBe(true);
});

it('a stopped task reports nothing', async () => {
  const { page, ended } = pair((name) => name);
  const heard: string[] = [];
  const stopped = task<string, string>(page, 'The greeter', 'you');
  void stopped.result.finally(() => heard.push('an end'));
  stopped.stop();
  page.onmessage!({ data: { id: 1, kind: 'done', result: 'late' } } as MessageEvent);
  await Promise.resolve();
  expect([ended(), heard]).toEqual([true, []]);
});

it('transfers the buffers of a result without copies: all typed arrays of a run', async () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  const index = indexedRun({ nodes: 33 });
  const held = index.grid.held.slice();
  answerTasks<null, RunIndex>(() => new Transferred(index, buffersOf(index)), portOf(port2));
  expect((await task<null, RunIndex>(portOf(port1), 'The giver', null).result).grid.held).toEqual(held);
  expect(buffersOf(index).every(({ byteLength }) => byteLength === 0)).toBe(true);
});

describe('OneTask', () => {
  /** Returns a task that ends when the test decides. */
  function aTask() {
    const end = { isStopped: false, resolve: (_: string) => {}, reject: (_: Error) => {} };
    const result = new Promise<string>((resolve, reject) => Object.assign(end, { resolve, reject }));
    return { task: { result, stop: () => void Object.assign(end, { isStopped: true }) }, end };
  }

  function aPage() {
    const heard: string[] = [];
    const bar = {
      value: 0,
      isBusy: false,
      classList: { toggle: (_: string, isOn?: boolean) => (bar.isBusy = isOn === true) },
      removeAttribute: () => void Object.assign(bar, { value: -1 }),
    };
    const one = new OneTask(bar, (isRunning) => heard.push(isRunning ? 'begins' : 'ends'));
    const say = (end: string | Error) => heard.push(end instanceof Error ? end.message : end);
    const wait = (task: Task<string>) => one.wait(task, say, say);
    return { heard, bar, one, wait };
  }

  it.each([
    ['a result', (end: ReturnType<typeof aTask>['end']) => end.resolve('a result')],
    ['too large', (end: ReturnType<typeof aTask>['end']) => end.reject(new Error('too large'))],
  ])('updates the progress bar until the task ends, and then reports %s', async (words, act) => {
    const { heard, bar, one, wait } = aPage();
    const { task, end } = aTask();
    wait(task);
    expect([bar.isBusy, bar.value, one.isRunning]).toEqual([true, -1, true]);
    one.progress = 0.5;
    expect(bar.value).toBe(0.5);
    act(end);
    await expect.poll(() => heard).toEqual(['begins', 'ends', words]);
    expect([bar.isBusy, one.isRunning]).toEqual([false, false]);
  });

  it('stops a task that another one replaces, and ends once after a stop', async () => {
    const { heard, one, wait } = aPage();
    const [first, second] = [aTask(), aTask()];
    wait(first.task);
    wait(second.task);
    one.stop();
    one.stop();
    expect([first.end.isStopped, second.end.isStopped]).toEqual([true, true]);
    expect(heard).toEqual(['begins', 'ends', 'begins', 'ends']);
  });
});
