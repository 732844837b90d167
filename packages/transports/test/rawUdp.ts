import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';
import type { Stranger } from './compliance.ts';

export const udpStranger: Stranger = {
  delivered: true,
  invalidBytes: [],
  write(to, bytes) {
    const socket = createSocket(isIP(to.host) === 6 ? 'udp6' : 'udp4');
    return new Promise((done) => socket.send(bytes, to.port, to.host, () => socket.close(() => done())));
  },
};

export async function openSilent(host: string) {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4');
  await new Promise<void>((bound) => socket.bind(0, host, bound));
  return {
    endpoint: { host, port: socket.address().port },
    close: () => new Promise<void>((closed) => socket.close(() => closed())),
  };
}
