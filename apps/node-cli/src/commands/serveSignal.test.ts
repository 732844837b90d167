import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { outputOf, runMain } from '../../test/runMain.ts';

it('signal prints its address, forwards messages, and prints its refusals at the end', async () => {
  const interruption = new AbortController();
  const onOut = (text: string) => {
    const url = /^Signalling at (ws:\S+)/.exec(text)?.[1];
    if (url === undefined) return;
    const socket = new WebSocket(url);
    socket.on('open', () => socket.send('nonsense'));
    socket.on('message', (data) => {
      if (JSON.parse(data.toString()).type !== 'refused') return;
      socket.close();
      interruption.abort();
    });
  };
  const ended = await runMain('serve signal --host 127.0.0.1 --port 0', { signal: interruption.signal, onOut });
  expect(outputOf(ended)).toMatch(
    /^Signalling at ws:\/\/127\.0\.0\.1:\d+\/signal {3}\(Ctrl-C ends it\)\nRefused:\nmalformed +1\n$/,
  );
});
