import { connect } from 'node:net';
import { createServer } from '@pondwader/socks5-server';
import type { SocksProxy } from '../src/tcp/dial.ts';
import { rawServer } from './rawTcp.ts';

export interface SocksServer {
  readonly proxy: SocksProxy;
  /** Requested hosts, exactly as the client sent them. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Opens a SOCKS5 server on the loopback interface. The server resolves every host name to the loopback interface. */
export async function openSocksServer(auth?: { username: string; password: string }): Promise<SocksServer> {
  const asked: string[] = [];
  const protocol = createServer(auth === undefined ? {} : { auth });
  protocol.setConnectionHandler(({ socket, destAddress, destPort }, sendStatus) => {
    asked.push(destAddress);
    const target = connect({ host: destAddress.includes(':') ? '::1' : '127.0.0.1', port: destPort });
    target.once('connect', () => {
      sendStatus('REQUEST_GRANTED');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => sendStatus('CONNECTION_REFUSED')).on('close', () => socket.destroy());
    socket.on('error', () => {}).on('close', () => target.destroy());
  });
  const { endpoint, close } = await rawServer('127.0.0.1', (socket) => protocol._handleConnection(socket));
  return { proxy: { ...endpoint, ...auth }, asked, close };
}
