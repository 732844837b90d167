import { toHex } from '@tutti/core/input';
import { attachSignalling, signallingPath } from '@tutti/transports/node';
import type { LiveMember, LiveView, RoomBlock, RoomResult } from '@tutti/transports/rooms';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { freePorts } from '../../../../tests/freePorts.ts';
import { isWhole } from '../../../../tests/sampled.ts';
import { patiently } from '../../test/patiently.ts';
import { isValid } from '../cluster/multiSignature.ts';
import { listenAt } from './httpServer.ts';
import { joinRoom, runRoomNode } from './runRoomNode.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function room(port = 0) {
  const http = await listenAt({ host: '127.0.0.1', port }, (_request, response) => response.end());
  const signalling = await attachSignalling(http.server);
  const close = async () => {
    signalling.close();
    await http.close();
  };
  closing.push(close);
  return { link: { signalling: `ws://127.0.0.1:${http.port}${signallingPath}`, room: 'r' }, close };
}

it.runIf(isWhole)('members in Node sign over WebRTC, and again after one has left', async () => {
  const [bls, noble, { link }] = [await loadBls(), await loadBls({ engine: 'noble' }), await room()];
  const failures: Error[] = [];
  const join = async () => {
    const onFailure = (error: Error) => failures.push(error);
    const member = await joinRoom(link, { label: 'node', mayLead: true }, bls, { onFailure });
    closing.push(() => member.close());
    return member;
  };
  const members = [await join(), await join(), await join()];
  const [first, ...rest] = members as [LiveMember, LiveMember, LiveMember];
  const signed = (round: number, those: readonly LiveMember[]) =>
    patiently(() => {
      for (const member of those) {
        const { result } = member.view();
        expect(result).toMatchObject({ round, weight: those.length });
        expect(isValid(noble, result!)).toBe(true);
      }
    });
  await patiently(() => {
    for (const member of members) expect(member.view().members).toHaveLength(3);
  });
  first.propose({ message: 'yes', share: 1 });
  first.start();
  await signed(1, members);

  await first.close();
  await patiently(() => expect(rest[0]!.isLeader).toBe(true));
  rest[0]!.start();
  await signed(2, rest);
  expect(failures).toEqual([]);
});

it('a missing server prints one line', async () => {
  const { link, close } = await room();
  await close();
  await expect(joinRoom(link, { label: 'node', mayLead: true }, await loadBls(), {})).rejects.toMatchObject({
    name: 'EnvironmentError',
    code: 'signalling-unreachable',
  });
});

it('a server that ends does not end a member: the current round ends, and all members return with the server', async () => {
  const [port] = await freePorts(1);
  const { link, close } = await room(port);
  const leader = await joinRoom(link, { label: 'leader', mayLead: true }, await loadBls(), {});
  closing.push(() => leader.close());
  const events: { event: string; round?: number }[] = [];
  const jsonLines = (line: string) => void events.push(JSON.parse(line));
  const left = runRoomNode({ link, label: 'node', rounds: 3, jsonLines }, new AbortController().signal);
  const both = () =>
    patiently(() => {
      const { members, lost } = leader.view();
      expect(lost).toBeUndefined();
      expect(members.map(({ condition }) => condition)).toEqual(['here', 'here']);
      expect(leader.isLeader).toBe(true);
    });
  const eventOf = (event: string, round?: number) =>
    patiently(() => expect(events).toContainEqual(expect.objectContaining({ event, ...(round && { round }) })));
  await both();
  leader.propose({ message: 'yes', share: 1 });
  leader.start();
  await eventOf('signed', 1);

  leader.start();
  await eventOf('round', 2);
  await close();
  await eventOf('lost');
  await eventOf('signed', 2);

  await room(port);
  await eventOf('back');
  await both();
  leader.start();
  await eventOf('signed', 3);
  await left;
});

it('Ctrl-C is not an error, with a server and without one', async () => {
  const { link, close } = await room();
  const interruptions = [new AbortController(), new AbortController()] as const;
  const texts: string[] = [];
  const options = { link, label: 'node', rounds: 1, text: (line: string) => void texts.push(line) };
  const [first, second] = interruptions.map(({ signal }) => runRoomNode(options, signal));
  await patiently(() => expect(texts).toHaveLength(2));
  interruptions[0].abort();
  await first;
  await close();
  await patiently(() => expect(texts.at(-1)).toMatch(/rejoins when the server is reachable again/));
  interruptions[1].abort();
  await second;
});

/** Runs a node in a room that the test simulates. */
async function runRounds(rounds: number) {
  const bls = await loadBls();
  const eventOf: string[] = [];
  const texts: string[] = [];
  const state = { self: '0123456789abcdef', members: [], round: undefined, lost: undefined } as unknown as Writable;
  const member = { view: () => state as LiveView, close: async () => void eventOf.push('closed') } as LiveMember;
  let listeners: Parameters<typeof joinRoom>[3] = {};
  const asked: unknown[] = [];
  const options = {
    ...{ link: { signalling: 'ws://h/signal', room: 'r' }, label: 'node', rounds },
    ...{ jsonLines: (line: string) => void eventOf.push(line), text: (line: string) => void texts.push(line) },
  };
  const left = runRoomNode(options, new AbortController().signal, async (link, shown, _bls, given) => {
    asked.push(link, shown);
    listeners = given;
    return member;
  }).then(() => eventOf.push('left'));
  left.catch(() => {});
  await patiently(() => expect(eventOf).toHaveLength(1));
  const secretKey = insecureSecretKey(bls, 1, 0);
  const message = new TextEncoder().encode('yes');
  const result = {
    ...{ round: 1, message, weight: 1, reachedMs: 120, bits: Uint8Array.of(1) },
    ...{ publicKeys: [bls.publicKey(secretKey)], signature: bls.sign(secretKey, message) },
  } as unknown as RoomResult;
  const change = (fields: object) => {
    Object.assign(state, fields);
    listeners.onChange?.(member);
  };
  return { eventOf, texts, asked, left, change, result, listeners: () => listeners };
}

/** Returns a block whose only collection is the multi-signature of a round. */
function blockOf({ message, publicKeys, bits, signature }: RoomResult): RoomBlock {
  const collections = [{ committee: 0, first: 0, bits, signature }];
  return { round: 3, message, publicKeys, reachedMs: null, block: { votes: 1, collections } };
}

type Writable = { -readonly [field in keyof LiveView]: LiveView[field] };

it('prints each event once, in JSON and as text', async () => {
  const { eventOf, texts, asked, change, result, listeners } = await runRounds(2);
  expect(asked).toEqual([
    { signalling: 'ws://h/signal', room: 'r' },
    { label: 'node', mayLead: false },
  ]);
  const round = { number: 1, threshold: 2, message: 'a\u202eb', entries: [0, 0, 0] };
  change({ round });
  change({ digest: new Uint8Array(32).fill(0xab) });
  change({ round });
  change({ round: { ...round, number: 2, threshold: 1, entries: [0] } });
  change({ lost: 'the server is gone' });
  change({});
  change({ lost: undefined });
  listeners().onResult?.(result);
  change({ round: { ...round, number: 3, slot: { validators: Array(8) } } });
  listeners().onBlock?.(blockOf(result));
  const digest = 'ab'.repeat(32);
  const { signature, publicKeys } = result;
  expect(eventOf.map((line) => JSON.parse(line))).toEqual([
    { event: 'joined', room: 'r', member: '0123456789abcdef' },
    { event: 'round', round: 1, members: 3, threshold: 2, message: 'a\u202eb', digest },
    { event: 'round', round: 2, members: 1, threshold: 1, message: 'a\u202eb', digest },
    { event: 'lost', reason: 'the server is gone' },
    { event: 'back', room: 'r' },
    {
      ...{ event: 'signed', round: 1, reachedMs: 120, message: 'yes', signers: 1 },
      ...{ signature: toHex(signature), bitset: '01', publicKeys: publicKeys.map(toHex) },
    },
    { event: 'round', round: 3, members: 3, validators: 8, threshold: 2, message: 'a\u202eb', digest },
    {
      ...{ event: 'block', round: 3, reachedMs: null, message: 'yes', votes: 1, publicKeys: publicKeys.map(toHex) },
      collections: [{ committee: 0, first: 0, bitset: '01', signature: toHex(signature) }],
    },
  ]);
  expect(texts.join('').replace(/[0-9a-f]{192}/, 'SIGNATURE')).toMatchInlineSnapshot(`
    "Joined the room r as 01234567; waiting for its leader to start.
    Round 1: 3 members, 2 signatures needed, registry abababababababab, message "a⟨U+202E⟩b"
    Round 2: 1 member, 1 signature needed, registry abababababababab, message "a⟨U+202E⟩b"
    the server is gone. Open connections remain; the node rejoins when the server is reachable again.
    Rejoined the room r.
    Round 1: signed by 1 of 1 after 120 ms, as noble-curves confirms: SIGNATURE
    Slot 3: 3 members with 8 validators, 2 signatures needed, registry abababababababab, message "a⟨U+202E⟩b"
    Slot 3: 1 of 1 votes in its block, in 1 collection, as noble-curves confirms
    "
  `);
});

it('stays up to five seconds for members that have not finished, and only after its own rounds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const waits = { inRound: true, condition: 'here', progress: { reachedMs: null } };
  for (const members of [[waits], [{ ...waits, progress: null }]]) {
    const { eventOf, change, result, listeners, left } = await runRounds(2);
    change({ members: [{ ...waits, progress: { reachedMs: 0 } }] });
    listeners().onResult?.(result);
    change({ members });
    listeners().onResult?.({ ...result, round: 2 });
    change({ members });
    await vi.advanceTimersByTimeAsync(4999);
    expect(eventOf.at(-1)).toContain('signed');
    await vi.advanceTimersByTimeAsync(1);
    await left;
    expect(eventOf.slice(-2)).toEqual(['closed', 'left']);
  }
  for (const done of [{ inRound: false }, { condition: 'gone' }, { progress: { reachedMs: 7 } }]) {
    const { eventOf, change, result, listeners, left } = await runRounds(1);
    listeners().onResult?.(result);
    change({ members: [{ ...waits, ...done }] });
    await left;
    expect(eventOf.slice(-2)).toEqual(['closed', 'left']);
  }
});

type Reports = Parameters<typeof joinRoom>[3];
const other = Uint8Array.of(1);
const invalid = 'the multi-signature is invalid under noble-curves; this is a bug in tutti or in its kernel';

it.each<[string, string, (listeners: Reports, result: RoomResult) => void]>([
  ['an invalid block', invalid, ({ onBlock }, result) => onBlock?.({ ...blockOf(result), message: other })],
  ['an invalid signature', invalid, ({ onResult }, result) => onResult?.({ ...result, message: other })],
  ['a failed round', 'no entropy', ({ onFailure }) => onFailure?.(new Error('no entropy'))],
])('%s ends the member, which reports nothing of it', async (_what, message, report) => {
  const { eventOf, texts, result, listeners, left } = await runRounds(1);
  report(listeners(), result);
  await expect(left).rejects.toThrow(message);
  expect([eventOf.length, eventOf[1], texts.length]).toEqual([2, 'closed', 1]);
});
