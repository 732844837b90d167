import type { ServerResponse } from 'node:http';
import { signalled } from '../cluster/untilEnded.ts';

/** Maximum number of simultaneous streams. Streams do not count as requests. */
export const maxStreams = 256;
/** Interval between two comments on a stream, which keep proxies from closing the stream, milliseconds. */
export const keepAliveMs = 15_000;
/** Time without an event after which a stream ends, milliseconds. */
export const maxIdleMs = 600_000;
/** Maximum number of unread bytes of a stream. The server closes a stream that has more unread bytes. */
export const maxUnread = 1024 * 1024;

/** Calls a function after the given number of milliseconds, and returns a function that cancels the call. */
export type After = (ms: number, task: () => void) => () => void;

/** Uses the timers of the process. A pending timer does not keep the process alive. */
export const afterTimeout: After = (ms, task) => {
  const timer = setTimeout(task, ms).unref();
  return () => clearTimeout(timer);
};

/** One stream of events as a server sends it (`text/event-stream`). */
interface EventStream {
  /** Sends an event with one document as its data. */
  send(document: object): void;
  end(): void;
  /** Resolves when the server or the client has ended the stream. */
  readonly ended: Promise<void>;
}

/** Opens event streams and limits them: their number, the time without an event, and the number of unread bytes. */
export class EventStreams {
  readonly #after: After;
  #open = 0;

  constructor(after: After) {
    this.#after = after;
  }

  /**
   * Opens a stream.
   *
   * @returns undefined if too many streams are open.
   */
  open(response: ServerResponse): EventStream | undefined {
    if (this.#open >= maxStreams) return undefined;
    this.#open++;
    const ended = signalled();
    let isOpen = true;
    let [cancelKeepAlive, cancelIdle] = [() => {}, () => {}];
    const finish = (): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#open--;
      cancelKeepAlive();
      cancelIdle();
      ended.resolve();
    };
    const destroy = (): void => {
      response.destroy();
      finish();
    };
    const write = (text: string): void => {
      if (!isOpen) return;
      response.write(text);
      if (response.writableLength > maxUnread) destroy();
    };
    const keepAlive = (): void => {
      write(': keep-alive\n\n');
      if (isOpen) cancelKeepAlive = this.#after(keepAliveMs, keepAlive);
    };
    const end = (): void => {
      response.end();
      finish();
    };
    const wait = (): void => {
      cancelIdle();
      // A stream with unread bytes is destroyed, because `end` would keep the connection open until the client reads.
      cancelIdle = this.#after(maxIdleMs, () => (response.writableLength > 0 ? destroy() : end()));
    };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    response.once('close', finish);
    cancelKeepAlive = this.#after(keepAliveMs, keepAlive);
    wait();
    const send = (document: object): void => {
      write(`data: ${JSON.stringify(document)}\n\n`);
      if (isOpen) wait();
    };
    return { send, end, ended: ended.promise };
  }
}
