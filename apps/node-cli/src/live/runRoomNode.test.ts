import { attachSignalling, fromHex, signallingPath } from '@tutti/transports';
import { loadBls } from '@tutti/wasm-bls';
import { afterEach, expect, it, vi } from 'vitest';
import { isValid } from '../cluster/multiSignature.ts';
import { listenHttp } from './httpServer.ts';
import { joinRoom } from './joinRoom.ts';
import { runRoomNode } from './runRoomNode.ts';

// Links take several turns of libraries' threads to open; on a loaded machine they come late.
vi.setConfig({ testTimeout: 60_000 });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function room() {
  const http = await listenHttp('127.0.0.1', 0, (_request, response) => response.end());
  const signalling = await attachSignalling(http.server);
  const close = async () => {
    signalling.close();
    await http.close();
  };
  closing.push(close);
  return { link: { signalling: `ws://127.0.0.1:${http.port}${signallingPath}`, room: 'r' }, close };
}

it('signs, tells it in JSON and in words, and leaves after its rounds', async () => {
  const { link } = await room();
  const [bls, noble] = await Promise.all([loadBls(), loadBls({ kernel: 'noble' })]);
  const leader = await joinRoom(link, { label: 'leader', mayLead: true }, bls, {});
  closing.push(() => leader.close());
  const lines: string[] = [];
  const texts: string[] = [];
  const signal = new AbortController().signal;
  const jsonLines = (line: string) => void lines.push(line);
  const text = (line: string) => void texts.push(line);
  const left = runRoomNode({ link, label: 'node', rounds: 1, jsonLines, text }, signal);
  await vi.waitFor(() => expect(leader.view().members).toHaveLength(2), { timeout: 50_000 });
  leader.propose({ message: 'yes', share: 1 });
  leader.start();
  await left;
  const events = lines.map((line) => JSON.parse(line));
  expect(events.map(({ event }) => event)).toEqual(['joined', 'round', 'signed']);
  const { signature, bitset, publicKeys } = events[2];
  const signed = {
    message: new TextEncoder().encode('yes'),
    signature: fromHex(signature, 96)!,
    bits: fromHex(bitset, 1)!,
    publicKeys: publicKeys.map((key: string) => fromHex(key, 48)!),
  };
  expect(isValid(noble, signed)).toBe(true);
  expect(events[1]).toMatchObject({ round: 1, members: 2, threshold: 2, message: 'yes' });
  expect(texts[0]).toMatch(/^Joined the room r as [0-9a-f]{8}; waiting for its leader to start\.\n$/);
  expect(texts[2]).toMatch(/^Round 1: signed by 2 of 2 after \d+ ms, as noble-curves confirms: [0-9a-f]{192}\n$/);
});

it('a server that ends is an error, and Ctrl-C is none', async () => {
  const { link, close } = await room();
  const interruption = new AbortController();
  let joined = 0;
  const text = () => void joined++;
  const options = { link, label: 'node', rounds: 1, text };
  const lost = expect(runRoomNode(options, new AbortController().signal)).rejects.toMatchObject({ code: 'room-lost' });
  const interrupted = runRoomNode(options, interruption.signal);
  await vi.waitFor(() => expect(joined).toBe(2), { timeout: 50_000 });
  interruption.abort();
  await interrupted;
  await close();
  await lost;
});
