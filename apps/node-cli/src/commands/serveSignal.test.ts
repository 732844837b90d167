import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { main } from '../main.ts';

/** Runs a command until `seen` returns a promise for its output, which ends the command. */
async function run(args: readonly string[], seen: (out: string) => Promise<void> | undefined) {
  const interruption = new AbortController();
  let out = '';
  let err = '';
  const code = await main(args, {
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

const local = ['--host', '127.0.0.1', '--port'];

it('signal prints its address, forwards messages, and prints its refusals at the end', async () => {
  let asked = false;
  const { code, out, err } = await run(['serve', 'signal', ...local, '0'], (text) => {
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
  let inner: ReturnType<typeof run> | undefined;
  await run(['serve', 'signal', ...local, '0'], (text) => {
    const port = /127\.0\.0\.1:(\d+)/.exec(text)?.[1];
    if (port === undefined || inner !== undefined) return undefined;
    inner = run(['serve', 'signal', ...local, port], () => undefined);
    return inner.then(() => {});
  });
  const { code, err } = await inner!;
  expect(code).toBe(1);
  expect(err).toMatch(/^tutti: TCP 127\.0\.0\.1:\d+ is in use; choose another port, or 0 for a free port\n$/);
});

it.each([
  [['serve', 'signal', '--port', 'x'], '--port: expected an integer from 0 to 65535, got "x"'],
  [['serve', 'signal', '--max-members', '129'], '--max-members: expected an integer from 1 to 128, got "129"'],
  [['serve', '--room', 'a b'], '--room: expected 1 to 64 letters, digits, hyphens or underscores, got "a b"'],
  [
    ['node', '--room-link', 'x'],
    '--room-link: expected the link to a live room, such as http://192.0.2.1:8080/#live=ROOM, got "x"',
  ],
  [['serve', '--origin', 'https://a'], '--origin: valid only with --live, which opens the room'],
  [['node', '--registry', 'r', '--key', 'k', '--name', 'a'], '--name: valid only with --http or --metrics-port'],
  [['node', '--registry', 'r', '--key', 'k', '--require-height'], '--require-height: valid only with --http'],
  [
    ['serve', 'signal', '--origin', 'https://a/b'],
    '--origin: expected the origin of a page, such as https://page.example, or *, got "https://a/b"',
  ],
  [
    ['serve', 'signal', '--name', 'a:1'],
    '--name: expected a host name without a port, such as rooms.example, got "a:1"',
  ],
  [['serve', '--room', 'a'], '--room: valid only with --live, which opens the room'],
  [
    ['serve', '--lan', '--live'],
    '--lan: cannot be combined with --live, which already listens on all addresses and prints a link',
  ],
  [
    ['serve', '--frame-ancestors', 'slides'],
    '--frame-ancestors: expected the origin of a page, such as https://page.example, or *, got "slides"',
  ],
  ...['https://a;sandbox', 'https://a,b', "https://a$'", 'https://*', 'ftp://a'].map((url): [string[], string] => [
    ['serve', '--frame-ancestors', url],
    `--frame-ancestors: expected the origin of a page, such as https://page.example, or *, got "${url}"`,
  ]),
  [['node'], '--registry: expected a file name, or --room-link with the link to a live room'],
  [
    ['node', '--room-link', 'http://192.0.2.1/#live=a', '--key', 'k'],
    '--room-link: cannot be combined with --registry or --key, because a member makes its keys when it joins',
  ],
])('%j is refused in one line', async (args, line) => {
  const { code, err } = await run(args, () => undefined);
  expect([code, err]).toEqual([2, `tutti: ${line}\n`]);
});
