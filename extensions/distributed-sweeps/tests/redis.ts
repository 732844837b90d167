import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePorts } from '../../../tests/freePorts.ts';

const command = process.env.REDIS_SERVER ?? 'redis-server';

/** Whether Redis can be started here; `npm test` installs Redis if permitted. */
export const hasRedis = spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

export interface RedisServer {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a separate Redis for a test, which stores nothing on the disk. */
export async function startRedis(folder: string): Promise<RedisServer> {
  const host = '127.0.0.1';
  const [port] = (await freePorts(1)) as [number];
  const flags = { port, bind: host, dir: folder, save: '', appendonly: 'no', 'maxmemory-policy': 'noeviction' };
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server: ChildProcess = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(server, 'exit');
  for await (const line of createInterface({ input: server.stdout! })) {
    if (line.includes('Ready to accept connections')) break;
  }
  if (server.exitCode !== null) throw new Error(`redis-server: expected to start, got exit code ${server.exitCode}`);
  server.stdout!.resume();
  return {
    host,
    port,
    url: `redis://${host}:${port}`,
    stop: async () => {
      server.kill('SIGTERM');
      await exited;
    },
  };
}
