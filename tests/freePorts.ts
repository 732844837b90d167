import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

const host = '127.0.0.1';
/** First port: below the ephemeral ports, and above those that browsers block, of which 10080 is the last. */
const first = 11_000;
const last = 32_767;
/** Test files run in separate processes. Each process starts at a different port. */
let next = first + ((process.pid * 127) % (last - first));

/** Returns free ports of this machine, UDP and TCP, for processes with ports as arguments, each port once. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = next;
    next = next === last ? first : next + 1;
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const socket = createSocket('udp4');
  try {
    await once(server.listen({ port, host, exclusive: true }), 'listening');
    await once(socket.bind({ port, address: host, exclusive: true }), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    if (server.listening) await new Promise((closed) => server.close(closed));
    await new Promise<void>((closed) => socket.close(closed));
  }
}
