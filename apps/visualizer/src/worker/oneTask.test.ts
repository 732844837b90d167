import { describe, expect, it } from 'vitest';
import { OneTask } from './oneTask.ts';
import { type TaskPort, type TaskReport, task } from './task.ts';

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
