import { attachSignalling, signallingPath } from '@tutti/transports/node';
import type { LiveMember } from '@tutti/transports/rooms';
import { loadBls } from '@tutti/wasm-bls';
import { afterEach, expect, it, vi } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { isValid } from '../cluster/multiSignature.ts';
import { listenAt, type RunningServer } from './httpServer.ts';
import { joinRoom } from './runRoomNode.ts';

// Opening a link takes several turns of the libraries' threads, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
const patient = { timeout: 50_000 };

const bls = await loadBls();
const noble = await loadBls({ engine: 'noble' });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function serve(): Promise<RunningServer> {
  const http = await listenAt({ host: '127.0.0.1', port: 0 }, (_request, response) => response.end());
  const signalling = await attachSignalling(http.server);
  closing.push(
    () => http.close(),
    () => signalling.close(),
  );
  return http;
}

it.runIf(isWhole)('members in Node sign over WebRTC, and again after one has left', async () => {
  const { port } = await serve();
  const link = { signalling: `ws://127.0.0.1:${port}${signallingPath}`, room: 'r' };
  const failures: Error[] = [];
  const join = async () => {
    const member = await joinRoom(link, { label: 'node', mayLead: true }, bls, {
      onFailure: (error) => failures.push(error),
    });
    closing.push(() => member.close());
    return member;
  };
  const members = [await join(), await join(), await join()];
  const signed = (round: number, those: readonly LiveMember[]) =>
    vi.waitFor(() => {
      for (const member of those) {
        const { result } = member.view();
        expect(result).toMatchObject({ round, weight: those.length });
        expect(isValid(noble, result!)).toBe(true);
      }
    }, patient);
  await vi.waitFor(() => {
    for (const member of members) expect(member.view().members).toHaveLength(3);
  }, patient);
  members[0]!.propose({ message: 'yes', share: 1 });
  members[0]!.start();
  await signed(1, members);

  await members[0]!.close();
  const rest = members.slice(1);
  await vi.waitFor(() => expect(rest[0]!.isLeader).toBe(true), patient);
  rest[0]!.start();
  await signed(2, rest);
  expect(failures).toEqual([]);
});

it('a missing server prints one line', async () => {
  const { port, close } = await serve();
  await close();
  const link = { signalling: `ws://127.0.0.1:${port}${signallingPath}`, room: 'r' };
  await expect(joinRoom(link, { label: 'node', mayLead: true }, bls, {})).rejects.toMatchObject({
    name: 'WorldError',
    code: 'signalling-unreachable',
  });
});
