import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { listenHttp, type RequestHandler, type RunningServer } from './httpServer.ts';

let http: RunningServer | undefined;
afterEach(() => http?.close());

/** A server that fails at every path but /right. */
async function failing(fail: RequestHandler): Promise<string> {
  http = await listenHttp('127.0.0.1', 0, (request, response) =>
    request.url === '/right' ? response.end('right') : fail(request, response),
  );
  return `http://127.0.0.1:${http.port}/`;
}

it.each<[string, RequestHandler]>([
  [
    'throws',
    () => {
      throw new RangeError('start > end');
    },
  ],
  ['rejects', () => Promise.reject(new Error('no measures'))],
])('an answer that %s is 500, and the next is right', async (_how, fail) => {
  const url = await failing(fail);
  const failed = await fetch(url);
  expect([failed.status, await failed.text()]).toEqual([500, 'this server failed to answer\n']);
  expect(await (await fetch(`${url}right`)).text()).toBe('right');
});

it('an answer that throws, or whose stream fails, once its status is chosen ends its connection alone', async () => {
  const noDescriptors = () =>
    new Readable({
      read() {
        this.destroy(new Error('EMFILE'));
      },
    });
  for (const fail of [
    (response: Parameters<RequestHandler>[1]) => void noDescriptors().pipe(response.writeHead(200)),
    (response: Parameters<RequestHandler>[1]) => {
      response.writeHead(200);
      throw new Error('too late');
    },
  ]) {
    const url = await failing((_request, response) => fail(response));
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
    expect(await (await fetch(`${url}right`)).text()).toBe('right');
    await http?.close();
  }
});

it('a file is closed when its receiver goes away', async () => {
  const file = new Readable({
    read() {
      this.push('x'.repeat(1 << 16));
    },
  });
  const closed = once(file, 'close');
  await failing((_request, response) => void file.pipe(response));
  const receiver = connect(http!.port, '127.0.0.1');
  receiver.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  await once(receiver, 'data');
  receiver.destroy();
  await closed;
});

it('a connection that cannot be accepted does not end it', async () => {
  const url = await failing(() => {});
  http!.server.emit('error', Object.assign(new Error('accept EMFILE'), { syscall: 'accept', code: 'EMFILE' }));
  expect(await (await fetch(`${url}right`)).text()).toBe('right');
});
