import { once } from 'node:events';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import net, { connect, Socket } from 'node:net';
import os from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, expect, it, onTestFinished } from 'vitest';
import { patiently } from '../../test/patiently.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { listenAt, nameForOthers, type RequestHandler, type RunningServer } from './httpServer.ts';

const { at, folder } = temporaryFiles();
const free = { host: '127.0.0.1', port: 0 };

let http: RunningServer | undefined;
afterEach(() => http?.close());

/** Starts a server that fails for all paths except /right. */
async function failing(fail: RequestHandler): Promise<string> {
  http = await listenAt(free, (request, response) =>
    request.url === '/right' ? response.end('right') : fail(request, response),
  );
  return `http://127.0.0.1:${http.port}/`;
}

const fails: () => never = () => {
  throw new RangeError('start > end');
};

it.each<[string, RequestHandler]>([
  ['throws', fails],
  ['rejects', async () => fails()],
])('an answer that %s is 500, and the next one is correct', async (_how, fail) => {
  const url = await failing(fail);
  const failed = await fetch(url);
  expect([failed.status, await failed.text()]).toEqual([500, 'this server failed to process the request\n']);
  expect(await (await fetch(`${url}right`)).text()).toBe('right');
});

it('an answer that throws, or whose stream fails, after its status was sent ends only its own connection', async () => {
  const noDescriptors = () =>
    new Readable({
      read() {
        this.destroy(new Error('EMFILE'));
      },
    });
  const handlers: RequestHandler[] = [
    (_request, response) => noDescriptors().pipe(response.writeHead(200)),
    (_request, response) => {
      response.writeHead(200);
      fails();
    },
  ];
  for (const fail of handlers) {
    const url = await failing(fail);
    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow();
    expect(await (await fetch(`${url}right`)).text()).toBe('right');
    await http?.close();
  }
});

it('a file is closed when its receiver disconnects', async () => {
  const file = new Readable({
    read() {
      this.push('x'.repeat(1 << 16));
    },
  });
  const closed = once(file, 'close');
  await failing((_request, response) => void file.pipe(response));
  const receiver = connect(http!.port, '127.0.0.1');
  receiver.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(receiver, 'data');
  receiver.destroy();
  await closed;
});

it('a connection that cannot be accepted does not end the server', async () => {
  const url = await failing(() => {});
  http!.server.emit('error', Object.assign(new Error('accept EMFILE'), { syscall: 'accept', code: 'EMFILE' }));
  expect(await (await fetch(`${url}right`)).text()).toBe('right');
});

it('an occupied port and an address of another machine are refused in one line', async () => {
  await failing(() => {});
  const { port } = http!;
  await expect(listenAt({ ...free, port }, () => {})).rejects.toMatchObject({
    code: 'address-in-use',
    message: `TCP 127.0.0.1:${port} is in use; stop the other program or use another port`,
  });
  await expect(listenAt({ host: '192.0.2.1', port: 0 }, () => {})).rejects.toMatchObject({
    code: 'address-unavailable',
  });
});

it('listens at the path of an abandoned socket, and refuses any other file there', async () => {
  const [path, moved] = [at('door'), at('moved')];
  const asked = async (socketPath: string) => {
    const [response] = await once(request({ socketPath, path: '/' }).end(), 'response');
    return response.statusCode;
  };
  const first = await listenAt({ path }, (_request, response) => response.end());
  expect([first.port, statSync(path).mode & 0o777, await asked(path)]).toEqual([0, 0o600, 200]);
  const message = `${path}: expected an unused path for a socket, got the path of an existing file`;
  const taken = { code: 'address-in-use', message };
  const looked = once(first.server, 'connection').then(([connection]) => once(connection, 'close'));
  await expect(listenAt({ path }, () => {})).rejects.toMatchObject(taken);
  await looked;
  // The server does not remove the socket when it closes, because the test has moved the socket.
  renameSync(path, moved);
  await first.close();
  renameSync(moved, path);
  http = await listenAt({ path }, (_request, response) => response.writeHead(204).end());
  expect(await asked(path)).toBe(204);
  await http.close();
  writeFileSync(path, 'a file');
  await expect(listenAt({ path }, () => {})).rejects.toMatchObject(taken);
  const nowhere = join(folder, 'none', 'door');
  await expect(listenAt({ path: nowhere }, () => {})).rejects.toMatchObject({
    code: 'socket-failed',
    message: `${nowhere}: the socket cannot be created (EACCES)`,
  });
});

it('a socket whose server has a full backlog is in use', async () => {
  const path = at('busy');
  http = await listenAt({ path }, () => {});
  const { connect: own } = net;
  onTestFinished(() => {
    net.connect = own;
    syncBuiltinESMExports();
  });
  net.connect = () => new Socket().destroy(Object.assign(new Error('busy'), { code: 'EAGAIN' }));
  syncBuiltinESMExports();
  await expect(listenAt({ path }, () => {})).rejects.toMatchObject({ code: 'address-in-use' });
});

it('a Unix socket is accessible only to its owner from its creation, regardless of the umask', async () => {
  const former = process.umask(0);
  onTestFinished(() => void process.umask(former));
  const path = at('open');
  const opening = listenAt({ path }, () => {});
  // The call binds the socket before it returns, so the socket's mode cannot have been changed afterwards.
  expect([statSync(path).mode & 0o777, process.umask()]).toEqual([0o600, 0]);
  http = await opening;
});

/** Returns the status and code of the response to a request, which is sent verbatim. */
async function raw(at: { port: number } | { path: string }, head: readonly string[], body = ''): Promise<string> {
  const socket = connect({ host: '127.0.0.1', ...at });
  socket.write(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`);
  let text = '';
  for await (const part of socket) text += part;
  return `${/ (\d+) /.exec(text)?.[1]} ${/"code":"([a-z-]+)"/.exec(text)?.[1] ?? ''}`.trim();
}

it('the server checks every request before it answers, over TCP and over a Unix socket', async () => {
  const path = at('checked');
  let answered = 0;
  const answer: RequestHandler = (_request, response) => response.end(`${answered++}`);
  const options = { names: ['rooms.example'], types: ['application/json'] };
  for (const place of [free, { path }]) {
    const server = await listenAt(place, answer, options);
    const at = 'path' in place ? place : { port: server.port };
    answered = 0;
    for (const [head, status] of [
      [['GET / HTTP/1.1', 'Host: localhost'], '200'],
      [['GET / HTTP/1.1', 'Host: ROOMS.example:80'], '200'],
      [['GET / HTTP/1.1', `Host: ${os.hostname()}`], '200'],
      [['GET / HTTP/1.1', 'Host: rebound.example'], '421 unknown-host'],
      [['GET / HTTP/1.1', 'Host: localhost', 'Origin: https://evil.example'], '403 foreign-origin'],
      [['GET / HTTP/1.1', 'Host: localhost', 'Sec-Fetch-Site: cross-site'], '403 foreign-origin'],
      [['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: text/plain', 'Content-Length: 0'], '200'],
      [['GET // HTTP/1.1', 'Host: localhost'], '400 malformed-request'],
      [['GET http://[/ HTTP/1.1', 'Host: localhost'], '400 malformed-request'],
      [['GET /%ff HTTP/1.1', 'Host: localhost'], '400 malformed-request'],
      [['GET / HTTP/1.1', 'Host: localhost', 'Host: localhost'], '400 malformed-request'],
      [['GET / HTTP/1.0'], '421 unknown-host'],
      [['GET / HTTP/1.1'], '400'],
    ] as const)
      expect([head, await raw(at, head)]).toEqual([head, status]);
    const head = ['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: text/plain', 'Content-Length: 4'];
    expect(await raw(at, head, 'body')).toBe('415 unsupported-body');
    expect(answered).toBe(4);
    await server.close();
  }
});

async function connection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

it.each([
  ['a head', { headMs: 20, requestMs: 10_000 }, 'GET / HTTP/1.1\r\nHost:'],
  ['a request', { headMs: 20, requestMs: 20 }, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf'],
  ['anything', { headMs: 20, requestMs: 10_000 }, ''],
])('the server closes a connection that does not complete %s in time', async (_what, times, written) => {
  http = await listenAt(free, (request) => void request.resume(), times);
  const socket = await connection(http.port);
  socket.write(written);
  let heard = '';
  socket.on('data', (data) => {
    heard += data;
  });
  await once(socket, 'close');
  expect(heard).toMatch(/^HTTP\/1.1 408 /);
});

it('the server has default time limits for the head of a request, the whole request and silent connections', async () => {
  http = await listenAt(free, () => {});
  const { headersTimeout, requestTimeout, timeout } = http.server;
  expect([headersTimeout, requestTimeout, timeout]).toEqual([10_000, 30_000, 600_000]);
});

it('a connection over the limit closes the connection without a pending request that has been silent longest', async () => {
  const most = 4;
  const waiting: (() => void)[] = [];
  const answer: RequestHandler = (_request, response) =>
    new Promise<void>((done) => {
      waiting.push(() => {
        response.end('at last');
        done();
      });
    });
  http = await listenAt(free, answer, { maxConnections: most });
  const asking = await connection(http.port);
  asking.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  await patiently(() => expect(waiting).toHaveLength(1));
  const silent: Socket[] = [];
  const closed: number[] = [];
  for (let index = 0; index < 2 * most; index++) {
    const accepted = once(http.server, 'connection');
    const socket = await connection(http.port);
    socket.once('close', () => closed.push(index));
    // The server also treats a client that has sent half of a body as silent.
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nhalf');
    silent.push(socket);
    await accepted;
  }
  await patiently(() => expect(closed).toEqual([0, 1, 2, 3, 4]));
  for (const socket of silent) socket.destroy();
  const heard = once(asking, 'data');
  waiting[0]!();
  expect(String(await heard)).toMatch(/^HTTP\/1.1 200 /);
});

it('the URL for others has the listening address, or the first address that is not loopback', () => {
  const { networkInterfaces } = os;
  const use = (interfaces: typeof networkInterfaces) => {
    os.networkInterfaces = interfaces;
    syncBuiltinESMExports();
  };
  onTestFinished(() => use(networkInterfaces));
  const named = (found: object) => {
    use(() => found as ReturnType<typeof networkInterfaces>);
    return hosts.map(nameForOthers);
  };
  const own = { family: 'IPv4', internal: true, address: '127.0.0.1' };
  const six = { family: 'IPv6', internal: false, address: '2001:db8::1' };
  const outward = { family: 'IPv4', internal: false, address: '192.0.2.7' };
  const hosts = ['0.0.0.0', '::', '127.0.0.1', '2001:db8::2', 'host.example'];
  const known = ['127.0.0.1', '[2001:db8::2]', 'host.example'];
  const found = named({ lo: [own], none: undefined, eth: [six, outward] });
  expect(found).toEqual(['192.0.2.7', '192.0.2.7', ...known]);
  expect(named({ lo: [own], eth: [six] })).toEqual(['localhost', 'localhost', ...known]);
});
