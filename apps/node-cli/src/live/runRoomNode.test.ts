import { fromHex } from '@tutti/transports';
import { attachSignalling, signallingPath } from '@tutti/transports/signalling';
import { loadBls } from '@tutti/wasm-bls';
import { afterEach, expect, it, vi } from 'vitest';
import { freePorts } from '../../../../packages/transports/test/freePorts.ts';
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

async function room(port = 0) {
  const http = await listenHttp('127.0.0.1', port, (_request, response) => response.end());
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

it('a server that ends ends no member: the round under way ends, and all come back when it does', async () => {
  const [port] = await freePorts(1);
  const { link, close } = await room(port);
  const bls = await loadBls();
  const leader = await joinRoom(link, { label: 'leader', mayLead: true }, bls, {});
  closing.push(() => leader.close());
  const events: { event: string; round?: number }[] = [];
  const jsonLines = (line: string) => void events.push(JSON.parse(line));
  const left = runRoomNode({ link, label: 'node', rounds: 3, jsonLines }, new AbortController().signal);
  const patient = { timeout: 50_000 };
  const both = () =>
    vi.waitFor(() => {
      const { members, lost } = leader.view();
      expect(lost).toBeUndefined();
      expect(members.map(({ condition }) => condition)).toEqual(['here', 'here']);
      expect(leader.isLeader).toBe(true);
    }, patient);
  const told = (event: string, round?: number) =>
    vi.waitFor(
      () => expect(events).toContainEqual(expect.objectContaining({ event, ...(round && { round }) })),
      patient,
    );
  await both();
  leader.propose({ message: 'yes', share: 1 });
  leader.start();
  await told('signed', 1);

  leader.start();
  await told('round', 2);
  await close();
  await told('lost');
  await told('signed', 2);

  await room(port);
  await told('back');
  await both();
  leader.start();
  await told('signed', 3);
  await left;
});

it('Ctrl-C is no error, with a server and without one', async () => {
  const { link, close } = await room();
  const interruptions = [new AbortController(), new AbortController()] as const;
  const texts: string[] = [];
  const options = { link, label: 'node', rounds: 1, text: (line: string) => void texts.push(line) };
  const [first, second] = interruptions.map(({ signal }) => runRoomNode(options, signal));
  await vi.waitFor(() => expect(texts).toHaveLength(2), { timeout: 50_000 });
  interruptions[0].abort();
  await first;
  await close();
  await vi.waitFor(() => expect(texts.at(-1)).toMatch(/it comes back when the server does/), { timeout: 50_000 });
  interruptions[1].abort();
  await second;
});
