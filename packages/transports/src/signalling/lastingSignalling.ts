import { requireFunction, requireMethods, requireObject } from '@tutti/core/input';
import { Backoff } from '../transport/backoff.ts';
import { type Signalling, type SignallingEvent, SignallingEvents } from './signalling.ts';

export interface LastingSignallingOptions {
  /** Calls `run` once, so many milliseconds later, unless what it returned is called; a timer by default. */
  readonly later?: (run: () => void, ms: number) => () => void;
  /** The time, ms, from any zero; `performance.now` by default. */
  readonly nowMs?: () => number;
}

/** A room that was kept for so long was joined for good: the next attempts begin with the shortest wait again. */
const settledMs = 5000;

/**
 * A room that is joined again whenever it is lost, as when its server is restarted: 0.1 s later, then after twice as
 * long each time, 5 s at most, until it is closed. `lost` says that it is gone, `back` that it is there again, before
 * all who are in it are told anew, oneself last.
 *
 * @param join joins it; called again with each attempt.
 * @throws whatever the first `join` throws, while later attempts are made again; TypeError for an invalid `join` or
 *   joins no room.
 */
export async function lastingSignalling(
  join: () => Promise<Signalling>,
  options: LastingSignallingOptions = {},
): Promise<Signalling> {
  requireFunction('join', join);
  requireObject('options', options);
  const { later = inTime, nowMs = () => performance.now() } = options;
  const events = new SignallingEvents();
  const backoff = new Backoff();
  let closed = false;
  let cancel = () => {};
  let joinedMs = 0;
  let current: Signalling | undefined;

  const listen = (signalling: Signalling) => {
    requireMethods('joined', signalling, ['signal', 'announce', 'onEvent', 'close']);
    current = signalling;
    joinedMs = nowMs();
    signalling.onEvent((event) => onEvent(signalling, event));
  };
  const onEvent = (from: Signalling, event: SignallingEvent) => {
    if (closed || from !== current) return;
    events.emit(event);
    if (event.type !== 'lost') return;
    current = undefined;
    if (nowMs() - joinedMs >= settledMs) backoff.onSuccess();
    wait();
  };
  const wait = () => {
    backoff.onFailure(nowMs());
    cancel = later(() => void joinAgain(), backoff.waitMs(nowMs()));
  };
  const joinAgain = async () => {
    try {
      const signalling = await join();
      if (closed) return signalling.close();
      events.emit({ type: 'back' });
      listen(signalling);
    } catch {
      if (!closed) wait();
    }
  };
  listen(await join());
  return {
    signal: (to, text) => current?.signal(to, text),
    announce: (text) => current?.announce(text),
    onEvent: (listener) => events.listen(listener),
    close() {
      closed = true;
      cancel();
      current?.close();
    },
  };
}

function inTime(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}
