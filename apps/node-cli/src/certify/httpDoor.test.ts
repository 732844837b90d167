import { WorldError } from '@tutti/transports';
import { afterEach, expect, it } from 'vitest';
import { listenHttp, type RunningServer } from '../live/httpServer.ts';
import { certifierDoor } from './httpDoor.ts';

const name = 'ab'.repeat(32);
const certified = { name, certificate: Uint8Array.of(1, 2, 3), signers: 5 };
const group = {
  certify: async (bytes: Uint8Array) => {
    if (bytes[0] === 0x39) throw new WorldError('already-signed', 'height 9: a height is signed once');
    return certified;
  },
  certificate: (asked: string) => (asked === name ? certified : undefined),
  totals: () => ({ refused: { 'not-approved': 2 } }) as never,
  counts: { open: 1, waiting: 0, kept: 1 },
};

const servers: RunningServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

async function door(token?: string) {
  const server = await listenHttp('127.0.0.1', 0, certifierDoor(group, token));
  servers.push(server);
  return (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
}

it('certifies what is posted, and gives what is kept', async () => {
  const ask = await door();
  const posted = await ask('/certificates', { method: 'POST', body: 'block 17' });
  expect([posted.status, posted.headers.get('tutti-message'), posted.headers.get('tutti-signers')]).toEqual([
    200,
    name,
    '5',
  ]);
  expect(new Uint8Array(await posted.arrayBuffer())).toEqual(certified.certificate);
  expect((await ask(`/certificates/${name}`)).status).toBe(200);
  expect((await ask(`/certificates/${'0'.repeat(64)}`)).status).toBe(404);
  expect(await (await ask('/totals')).json()).toMatchObject({ refused: { 'not-approved': 2 }, open: 1 });
});

it('says by the status what was wrong', async () => {
  const ask = await door();
  const refused = await ask('/certificates', { method: 'POST', body: '9' });
  expect([refused.status, await refused.json()]).toMatchObject([412, { code: 'already-signed' }]);
  expect((await ask('/certificates', { method: 'POST', body: '' })).status).toBe(400);
  expect((await ask('/certificates', { method: 'POST', body: new Uint8Array(65_537) })).status).toBe(413);
  expect((await ask('/elsewhere')).status).toBe(404);
});

it('asks for its token everywhere but at its health', async () => {
  const ask = await door('secret');
  expect((await ask('/health')).status).toBe(200);
  for (const path of ['/totals', `/certificates/${name}`]) {
    expect((await ask(path)).status).toBe(401);
    expect((await ask(path, { headers: { authorization: 'Bearer other' } })).status).toBe(401);
    expect((await ask(path, { headers: { authorization: 'Bearer secret' } })).status).toBe(200);
  }
});
