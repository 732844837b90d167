import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { settled } from './siege/besieged.ts';
import { descriptors } from './siege/proc.mjs';
import { bin, finishedOf, printed } from './tutti.ts';

const most = 64;

it.skipIf(process.platform !== 'linux')('serve without free descriptors continues, and later answers', async () => {
  const limited = ['-c', `ulimit -n ${most} && exec "$0" "$@"`, process.execPath, bin, 'serve', '--port', '0'];
  const serve = spawn('sh', limited);
  onTestFinished(() => void serve.kill('SIGKILL'));
  const url = await printed({ child: serve, finished: finishedOf(serve) }, /(http:\S+)\s/);
  const open = () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    return socket;
  };
  const asking = open();
  await once(asking, 'connect');
  const idle = Array.from({ length: 2 * most }, open);
  expect(await settled(() => descriptors(serve.pid) >= most)).toBe(true);
  asking.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  // Without a free file descriptor, the server closes connections without an answer, so that no client waits.
  let heard = '';
  asking.on('data', (data) => {
    heard += data;
  });
  await once(asking, 'close');
  expect(heard).toBe('');
  for (const socket of idle) socket.destroy();
  expect(await settled(() => descriptors(serve.pid) < most / 2)).toBe(true);
  expect((await fetch(url)).status).toBe(200);
  expect(serve.exitCode).toBe(null);
});
