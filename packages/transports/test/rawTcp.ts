import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core';
import { encodeHello, packetHeader, streamPreface } from '../src/tcp/framing.ts';
import type { Stranger } from './compliance.ts';

export const closed = (socket: Socket): Promise<void> => new Promise((done) => socket.once('close', () => done()));

/** Opens a connection of a client that may violate the protocol. The client reads all data, and ignores errors. */
export function rawConnection(to: Endpoint): Socket {
  return connect({ host: to.host, port: to.port })
    .on('error', () => {})
    .resume();
}

/** Returns the first bytes of a well-behaved connection whose opener claims to listen at `claim`. */
export function introduction(claim: Endpoint): Uint8Array {
  const hello = encodeHello({ nonce: 1n, ...claim });
  return Uint8Array.of(...streamPreface, ...packetHeader(hello.length), ...hello);
}

/** Opens a server that accepts connections. The caller decides what happens with each connection. */
export async function rawServer(host: string, onConnection: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    onConnection(socket);
  });
  await new Promise<void>((listening) => server.listen(0, host, listening));
  return {
    endpoint: { host, port: (server.address() as AddressInfo).port },
    close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
}

export const openDeaf = (host: string) => rawServer(host, (socket) => socket.pause());

export const tcpStranger: Stranger = {
  delivered: false,
  invalidBytes: [
    Uint8Array.of(...streamPreface, 0, 0),
    Uint8Array.of(...streamPreface, 0xff, 0xff),
    Uint8Array.of(...streamPreface, ...packetHeader(3), 1, 2, 3),
    Uint8Array.of(...streamPreface, ...packetHeader(300), ...new Uint8Array(300)),
    introduction({ host: 'a b', port: 1 }),
    introduction({ host: 'a', port: 0 }),
    new TextEncoder().encode('GET / HTTP/1.1\r\n\r\n'),
  ],
  write(to, bytes) {
    const socket = rawConnection(to);
    socket.write(bytes);
    return closed(socket);
  },
};
