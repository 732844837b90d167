import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { main } from '../main.ts';

it('signal prints its address, forwards messages, and prints its refusals at the end', async () => {
  const interruption = new AbortController();
  let out = '';
  let err = '';
  const code = await main(['serve', 'signal', '--host', '127.0.0.1', '--port', '0'], {
    out: (text) => {
      out += text;
      const url = /^Signalling at (ws:\S+)/.exec(text)?.[1];
      if (url === undefined) return;
      const socket = new WebSocket(url);
      socket.on('open', () => socket.send('nonsense'));
      socket.on('message', (data) => {
        if (JSON.parse(data.toString()).type !== 'refused') return;
        socket.close();
        interruption.abort();
      });
    },
    err: (text) => {
      err += text;
    },
    progress: 'none',
    signal: interruption.signal,
  });
  expect(out).toMatch(
    /^Signalling at ws:\/\/127\.0\.0\.1:\d+\/signal {3}\(Ctrl-C ends it\)\nRefused:\nmalformed +1\n$/,
  );
  expect([code, err]).toEqual([0, '']);
});
