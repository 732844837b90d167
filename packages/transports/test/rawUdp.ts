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
