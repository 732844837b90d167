import type { ServerResponse } from 'node:http';
import { signalled } from '../cluster/signalled.ts';

/** Maximum number of streams at a time; they take no places of requests. */
export const maxStreams = 256;
/** A stream gets a comment this often, so that no proxy takes it for dead, milliseconds. */
export const keepAliveMs = 15_000;
/** A stream without an event ends after this time, milliseconds. */
export const longestIdleMs = 600_000;
/** A client that leaves this much unread is not listening, bytes. */
export const maxUnread = 1024 * 1024;

/** Calls back after so many milliseconds. @returns what stops that. */
export type After = (ms: number, task: () => void) => () => void;

/** By the timers of the process, which end with it. */
export const afterTimeout: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

/** One stream of events, as a server sends it (`text/event-stream`). */
export interface EventStream {
  /** Sends an event, whose data is one document. */
  send(document: object): void;
  end(): void;
  /** Resolves when the stream has ended, from either side. */
  readonly ended: Promise<void>;
}

/** Opens event streams, and bounds them: their number, the time without an event, and the bytes that nobody reads. */
export class EventStreams {
  readonly #after: After;
  #open = 0;

  constructor(after: After) {
    this.#after = after;
  }

  /** @returns undefined where there are too many. */
  open(response: ServerResponse): EventStream | undefined {
    if (this.#open >= maxStreams) return undefined;
    this.#open++;
    const ended = signalled();
    let isOpen = true;
    let [cancelBeat, cancelIdle] = [() => {}, () => {}];
    const finish = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#open--;
      cancelBeat();
      cancelIdle();
      ended.resolve();
    };
    const write = (text: string): void => {
      if (!isOpen) return;
      response.write(text);
      if (response.writableLength <= maxUnread) return;
      response.destroy();
      finish();
    };
    const beat = (): void => {
      write(': keep-alive\n\n');
      cancelBeat = this.#after(keepAliveMs, beat);
    };
    const end = (): void => {
      response.end();
      finish();
    };
    const wait = (): void => {
      cancelIdle();
      // A client that reads nothing would keep its connection open until it does.
      cancelIdle = this.#after(longestIdleMs, () => (response.writableLength > 0 ? response.destroy() : end()));
    };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    response.once('close', finish);
    cancelBeat = this.#after(keepAliveMs, beat);
    wait();
    const send = (document: object): void => {
      write(`data: ${JSON.stringify(document)}\n\n`);
      if (isOpen) wait();
    };
    return { send, end, ended: ended.promise };
  }
}
