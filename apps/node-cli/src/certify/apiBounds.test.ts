import { EventEmitter, once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { encodeCertificate, encodeWarpMessage, messageHash } from '@tutti/certificates';
import type { Certified } from '@tutti/certificates/groups';
import { EnvironmentError, toHex } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { patiently } from '../../test/patiently.ts';
import { signalled } from '../cluster/untilEnded.ts';
import { listenAt } from '../live/httpServer.ts';
import { insecureSecrets, registryEntry } from '../nodeKeys.ts';
import { EventStreams, keepAliveMs, maxIdleMs, maxStreams, maxUnread } from './eventStreams.ts';
import { type ApiOptions, apiServer, certifierApi, maxRequests } from './httpApi.ts';

const kernel = await loadBls();

/** Timers that run only when a test advances the time. */
class Timers {
  nowMs = 0;
  readonly #due = new Set<{ readonly atMs: number; readonly task: () => void }>();

  readonly after = (ms: number, task: () => void) => {
    const one = { atMs: this.nowMs + ms, task };
    this.#due.add(one);
    return () => void this.#due.delete(one);
  };

  get count(): number {
    return this.#due.size;
  }

  pass(ms: number): void {
    const endMs = this.nowMs + ms;
    for (;;) {
      const [next] = [...this.#due].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#due.delete(next);
      this.nowMs = next.atMs;
      next.task();
    }
    this.nowMs = endMs;
  }
}

const bytes = new TextEncoder().encode('a message');
const entries = [0, 1].map((index) =>
  registryEntry(kernel, insecureSecrets(kernel, 5, index), { host: '127.0.0.1', port: index }),
);
const warp = toHex(encodeWarpMessage({ network: 5, chain: new Uint8Array(32), payload: bytes }));
const message = messageHash(bytes);
const signed = { registry: new Uint8Array(32), epoch: 0n, message, size: 2, bits: Uint8Array.of(1) };
const certificate = encodeCertificate({ ...signed, signature: new Uint8Array(96) });
const certified: Certified = { name: toHex(message), bytes, certificate, signers: 1 };

/** Creates a group whose certificates the test completes, and a member's HTTP API for that group. */
async function api(of: Partial<ApiOptions> = {}) {
  const asked: { resolve(): void; reject(error: Error): void }[] = [];
  const listeners = new Set<(one: Certified) => void>();
  const group = {
    certify: () => {
      const { promise, resolve, reject } = signalled<Certified>();
      asked.push({ resolve: () => resolve(certified), reject });
      return promise;
    },
    certificate: () => undefined,
    totals: () => ({}) as never,
    counts: { open: 0, waiting: 0, stored: 0 },
    members: () => [],
    on: (_event: 'certificate', listener: (one: Certified) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const timers = new Timers();
  const answer = certifierApi({ group, registry: { entries }, kernel, form: 'tutti', after: timers.after, ...of });
  const responses: ServerResponse[] = [];
  const answerRequest = (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    responses.push(response);
    return answer(request, response);
  };
  const server = await listenAt({ host: '127.0.0.1', port: 0 }, answerRequest, apiServer);
  onTestFinished(() => server.close());
  const { port } = server;
  const start = (method: string, path: string, headers: Record<string, string> = {}): ClientRequest => {
    const one = request({ host: '127.0.0.1', port, method, path, headers, agent: false });
    one.on('error', () => {});
    return one;
  };
  const post = (path = '/certificates', body: string | Uint8Array = bytes) => start('POST', path).end(body);
  const stream = (name = 'a'.repeat(64)) => {
    const one = start('GET', `/certificates/${name}`, { accept: 'text/event-stream' });
    onTestFinished(() => void one.destroy());
    return one.end();
  };
  /** Occupies all slots. @returns the status of each request. */
  const waiting = async () => {
    const statuses = Array.from({ length: maxRequests }, () => statusOf(post()));
    await patiently(() => expect(asked).toHaveLength(maxRequests));
    return statuses;
  };
  return { asked, waiting, responses, listeners, timers, port, start, post, stream };
}

const answerTo = async (one: ClientRequest): Promise<IncomingMessage> => {
  const [response] = (await once(one, 'response')) as [IncomingMessage];
  return response;
};
const statusOf = async (one: ClientRequest) => (await answerTo(one)).resume().statusCode!;
function collected(response: IncomingMessage) {
  let text = '';
  response.setEncoding('utf8').on('data', (part) => {
    text += part;
  });
  return { response, text: () => text };
}
const textOf = async (one: ClientRequest) => text(await answerTo(one));

describe('requests to a member', () => {
  it('each request occupies a slot until it ends, and a request is refused if all slots are occupied', async () => {
    const { asked, waiting, post, start } = await api();
    for (const ending of ['certificate', 'failure'] as const) {
      asked.length = 0;
      const ended = await waiting();
      expect(await textOf(post())).toBe('{"error":"256 requests wait already"}\n');
      expect(await statusOf(post('/aggregate-signatures', '{"message":""}'))).toBe(400);
      // Requests that wait for no certificate are still answered.
      expect(await statusOf(start('GET', `/certificates/${'a'.repeat(64)}`).end())).toBe(404);
      expect(await statusOf(start('GET', '/members').end())).toBe(200);
      for (const one of asked)
        if (ending === 'certificate') one.resolve();
        else one.reject(new EnvironmentError('gave-up', 'not enough signers'));
      expect(new Set(await Promise.all(ended))).toEqual(new Set([ending === 'certificate' ? 200 : 504]));
    }
    const again = statusOf(post());
    await patiently(() => expect(asked).toHaveLength(maxRequests + 1));
    asked.at(-1)!.reject(new EnvironmentError('already-signed', 'height 1'));
    expect(await again).toBe(412);
  });

  it('end at the first certificate if the client left before it, although its share of signers is too small', async () => {
    const { asked, responses, post, listeners } = await api();
    const one = post('/aggregate-signatures', JSON.stringify({ message: warp, 'quorum-percentage': 100 }));
    await patiently(() => expect(asked).toHaveLength(1));
    one.destroy();
    await patiently(() => expect(responses[0]!.closed).toBe(true));
    asked[0]!.resolve();
    await setImmediate();
    expect(listeners.size).toBe(0);
  });

  it('a request with a missing or incomplete body occupies no slot', async () => {
    const { asked, waiting, port, stream, listeners } = await api();
    const silent = Array.from({ length: maxRequests }, (_, index) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      if (index % 2 === 0)
        socket.write('POST /certificates HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf');
      return socket;
    });
    onTestFinished(() => silent.forEach((socket) => void socket.destroy()));
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    for (let open = 1; open <= maxStreams; open++) {
      expect((await answerTo(stream())).statusCode).toBe(200);
      expect(listeners.size).toBe(open);
    }
    const ended = await waiting();
    for (const one of asked) one.reject(new EnvironmentError('gave-up', 'not enough signers'));
    expect(new Set(await Promise.all(ended))).toEqual(new Set([504]));
  });
});

describe('event streams of a member', () => {
  it('the limit on open streams does not count requests, and a closed stream releases its slot', async () => {
    const { stream, post, asked } = await api();
    const open = await Promise.all(
      Array.from({ length: maxStreams }, async () => {
        const one = stream();
        return { one, status: (await answerTo(one)).statusCode };
      }),
    );
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await textOf(stream())).toBe('{"error":"256 streams are open already"}\n');
    const posted = statusOf(post());
    await patiently(() => expect(asked).toHaveLength(1));
    asked[0]!.reject(new EnvironmentError('gave-up', 'not enough signers'));
    expect(await posted).toBe(504);
    open[0]!.one.destroy();
    await patiently(async () => expect((await answerTo(stream())).statusCode).toBe(200));
  });

  it('a stream sends a comment every 15 s, and ends after 10 minutes without an event', async () => {
    const { stream, timers, listeners } = await api();
    expect([keepAliveMs, maxIdleMs]).toEqual([15_000, 600_000]);
    const { response, text } = collected(await answerTo(stream()));
    const keepAlives = () => text().split(': keep-alive\n\n').length - 1;
    timers.pass(keepAliveMs - 1);
    timers.pass(1);
    await patiently(() => expect(keepAlives()).toBe(1));
    timers.pass(maxIdleMs - timers.nowMs - 1);
    const expectedKeepAlives = maxIdleMs / keepAliveMs - 1;
    await patiently(() => expect(keepAlives()).toBe(expectedKeepAlives));
    expect(response.complete).toBe(false);
    timers.pass(1);
    await once(response, 'end');
    expect([text().replaceAll(': keep-alive\n\n', ''), keepAlives()]).toEqual(['', expectedKeepAlives]);
    await patiently(() => expect([listeners.size, timers.count]).toEqual([0, 0]));
  });

  it('stay open while events arrive', async () => {
    const { stream, timers, listeners } = await api();
    const { text } = collected(await answerTo(stream(certified.name)));
    for (let event = 0; event < 3; event++) {
      timers.pass(maxIdleMs - 1);
      for (const listener of listeners) listener(certified);
    }
    await patiently(() => expect(text().match(/^data: \{"message":/gm)).toHaveLength(3));
    expect(listeners.size).toBe(1);
    timers.pass(maxIdleMs);
    await patiently(() => expect(listeners.size).toBe(0));
  });

  it('retain no timer and no listener after their client disconnects', async () => {
    const { stream, timers, listeners } = await api();
    const one = stream();
    await answerTo(one);
    expect([listeners.size, timers.count]).toEqual([1, 2]);
    one.destroy();
    await patiently(() => expect([listeners.size, timers.count]).toEqual([0, 0]));
  });

  it.each([
    [maxUnread, 'an event', true],
    [maxUnread + 1, 'an event', false],
    [maxUnread, 'a keep-alive', true],
    [maxUnread + 1, 'a keep-alive', false],
    [1, '10 minutes without an event', false],
  ])('a stream with %i unread bytes remains open after %s: %s', (unread, after, isOpen) => {
    const [timers, done] = [new Timers(), vi.fn()];
    const response = Object.assign(new EventEmitter(), {
      writableLength: 0,
      destroy: done,
      end: done,
      flushHeaders() {},
      write() {},
      writeHead() {},
    });
    const stream = new EventStreams(timers.after).open(response as unknown as ServerResponse)!;
    response.writableLength = unread;
    if (after === 'an event') stream.send({});
    else timers.pass(after === 'a keep-alive' ? keepAliveMs : maxIdleMs);
    expect([done.mock.calls.length, timers.count]).toEqual(isOpen ? [0, 2] : [1, 0]);
  });
});

describe('the health of a member', () => {
  it('is 503 for clients if a message could not be recorded, for every kind of request', async () => {
    const { post, asked } = await api();
    const statuses = [post(), post('/aggregate-signatures', JSON.stringify({ message: warp }))].map(statusOf);
    await patiently(() => expect(asked).toHaveLength(2));
    for (const one of asked) one.reject(new EnvironmentError('signed-log-failed', 'log: cannot be written (ENOSPC)'));
    expect(await Promise.all(statuses)).toEqual([503, 503]);
  });
});
