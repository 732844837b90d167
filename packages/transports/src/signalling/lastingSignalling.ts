import { requireFunction, requireMethods, requireObject } from '@tutti/core/input';
import { Backoff } from '../transport/backoff.ts';
import { type Signalling, type SignallingEvent, SignallingEvents } from './signalling.ts';

/** Options of {@link lastingSignalling}. */
export interface LastingSignallingOptions {
  /**
   * Calls `run` once after this number of milliseconds, unless the returned function is called before. Default: a
   * timer.
   */
  readonly later?: (run: () => void, ms: number) => () => void;
  /** Returns the time, ms, relative to any origin. Default: `performance.now`. */
  readonly nowMs?: () => number;
}

/** Time in a room after which later attempts begin with the shortest wait again, ms. */
const settledMs = 5000;

/**
 * Joins a room again whenever the connection is lost, for example when its server restarts. The waits begin at 0.1 s,
 * double each time and are at most 5 s. This continues until the signalling is closed. The event `lost` means that the
 * room is lost; `back` means that it was joined again. Then all its members are reported again, this one last.
 *
 * @param join joins the room; called again for each attempt.
 * @throws the error of the first `join`, while later attempts are repeated; TypeError for an invalid `join` or one that
 * does not return a signalling.
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
