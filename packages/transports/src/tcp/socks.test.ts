import { afterAll, describe, expect, it } from 'vitest';
import { closing, describeTransport, until } from '../../test/compliance.ts';
import { openDeaf, rawServer, tcpStranger } from '../../test/rawTcp.ts';
import { openSocksServer } from '../../test/socksServer.ts';
import { dialThrough, type SocksProxy } from './dial.ts';
import { openTcp, type TcpOptions } from './tcp.ts';

const server = await openSocksServer();
afterAll(() => server.close());

describeTransport('tcp through a SOCKS5 proxy', {
  open: (options) => openTcp({ host: '127.0.0.1', proxy: server.proxy, ...options }),
  openDeaf: () => openDeaf('127.0.0.1'),
  stranger: tcpStranger,
});

const open = async (options: Partial<TcpOptions>) => closing(await openTcp({ host: '127.0.0.1', ...options }));

async function sendThrough(proxy: SocksProxy): Promise<'received' | 'failed'> {
  const [a, b] = [await open({ proxy }), await open({})];
  a.send(b.local, Uint8Array.of(1));
  await until(() => b.counters.packetsReceived + a.counters.connectionsFailed === 1);
  return b.counters.packetsReceived === 1 ? 'received' : 'failed';
}

describe('a SOCKS5 proxy', () => {
  it('receives an onion name unchanged, and no resolver receives it', async () => {
    const { proxy, asked } = closing(await openSocksServer());
    const [a, b] = [await open({ proxy }), await open({})];
    const name = `${'b'.repeat(56)}.onion`;
    a.send({ host: name, port: b.local.port }, Uint8Array.of(1));
    await until(() => b.counters.packetsReceived === 1);
    expect(asked).toEqual([name]);
  });

  it('that requires a name and a password gets both, and other credentials are refused', async () => {
    const auth = { username: 'tutti', password: 'all together' };
    const { proxy } = closing(await openSocksServer(auth));
    expect(await sendThrough(proxy)).toBe('received');
    expect(await sendThrough({ ...proxy, password: 'alone' })).toBe('failed');
    expect(await sendThrough({ host: proxy.host, port: proxy.port })).toBe('failed');
    await expect(open({ proxy: { ...proxy, password: undefined } as never })).rejects.toThrow(
      new TypeError('proxy: expected both username and password or neither, got only username'),
    );
  });

  it('that is absent, disconnects or answers invalid bytes is a failed attempt', async () => {
    const nonsense = closing(await rawServer('127.0.0.1', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    const rude = await rawServer('127.0.0.1', (socket) => socket.destroy());
    for (const { endpoint } of [nonsense, rude]) expect(await sendThrough(endpoint)).toBe('failed');
    await rude.close();
    expect(await sendThrough(rude.endpoint)).toBe('failed');
  });

  it('has no connection left after a name that is too long for the protocol', async () => {
    let isClosed = false;
    const silent = closing(
      await rawServer('127.0.0.1', (socket) =>
        socket.resume().on('close', () => {
          isClosed = true;
        }),
      ),
    );
    const to = { host: 'a'.repeat(256), port: 1 };
    await expect(dialThrough(silent.endpoint)(to, new AbortController().signal)).rejects.toThrow('destination');
    await until(() => isClosed);
  });

  it('that never answers causes a timeout', async () => {
    const silent = closing(await rawServer('127.0.0.1', (socket) => socket.resume()));
    const [a, b] = [await open({ proxy: silent.endpoint, replyTimeoutMs: 20 }), await open({})];
    a.send(b.local, Uint8Array.of(1));
    await until(() => a.counters.connectionsFailed === 1);
    expect(a.counters.sendErrors).toBe(1);
  });
});
