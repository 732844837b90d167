import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { refusalOf } from '../../test/runMain.ts';
import { main } from '../main.ts';

/**
 * Runs a signalling server, passes its output to `seen`, and interrupts it when the promise that `seen` returns has
 * settled.
 */
async function serve(port: string, seen: (out: string) => Promise<void> | undefined) {
  const interruption = new AbortController();
  let out = '';
  let err = '';
  const code = await main(['serve', 'signal', '--host', '127.0.0.1', '--port', port], {
    out: (text) => {
      out += text;
      void seen(out)?.finally(() => interruption.abort());
    },
    err: (text) => {
      err += text;
    },
    progress: 'none',
    signal: interruption.signal,
  });
  return { code, out, err };
}

it('signal prints its address, forwards messages, and prints its refusals at the end', async () => {
  let asked = false;
  const { code, out, err } = await serve('0', (text) => {
    const url = /ws:\/\/127\.0\.0\.1:\d+\/signal/.exec(text)?.[0];
    if (url === undefined || asked) return undefined;
    asked = true;
    const socket = new WebSocket(url);
    return new Promise((answered) => {
      socket.on('open', () => socket.send('nonsense'));
      socket.on('message', (data) => {
        if (JSON.parse(data.toString()).type !== 'refused') return;
        socket.close();
        answered();
      });
    });
  });
  expect(out).toMatch(
    /^Signalling at ws:\/\/127\.0\.0\.1:\d+\/signal {3}\(Ctrl-C ends it\)\nRefused:\nmalformed +1\n$/,
  );
  expect([code, err]).toEqual([0, '']);
});

it('an occupied port prints one line', async () => {
  let inner: ReturnType<typeof serve> | undefined;
  await serve('0', (text) => {
    const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    if (port === undefined || inner !== undefined) return undefined;
    inner = serve(port, () => undefined);
    return inner.then(() => {});
  });
  expect(refusalOf(await inner!, 1)).toMatch(
    /^TCP 127\.0\.0\.1:\d+ is in use; choose another port, or 0 for a free port$/,
  );
});
