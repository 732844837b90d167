import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { toHex } from '@tutti/core/input';
import { networkKey } from '@tutti/transports';
import { attachSignalling, nodeCrypto, signallingPath } from '@tutti/transports/node';
import type { LiveMember } from '@tutti/transports/rooms';
import type { Bls } from '@tutti/wasm-bls';
import { WebSocket, WebSocketServer } from 'ws';
import { isValid } from '../../apps/node-cli/src/cluster/multiSignature.ts';
import { joinRoom } from '../../apps/node-cli/src/live/runRoomNode.ts';
import { proveName } from '../../packages/transports/src/signalling/joinProof.ts';
import { addTo, Course, Growth, type Siege, settled } from './besieged.ts';
import { descriptors } from './proc.mjs';

const limits = { roomsPerAddress: 1, connectionsPerAddress: 4, joinMs: 60_000 };
/** Number of concurrent connections, which exceeds the limit per address. */
const visitors = 36;
const halfOpenCount = 8;
/** Maximum number of signals per member that the Byzantine server stores for later repetition. */
const maxKept = 64;
const codes = [
  ...['malformed', 'too-many-rooms-of-address', 'not-your-name', 'foreign-origin', 'unknown-host'],
  ...['too-many-connections', 'signal forged', 'signal replayed', 'card forged-card'],
];

/** Besieges a live room with a Byzantine server. Others flood it and occupy rooms, names and connections. */
export async function besiegeRoom(bls: Bls, seconds: number): Promise<Siege> {
  const http = createServer();
  const signalling = await attachSignalling(http, { limits });
  const port = await listening(http);
  const honest = `ws://127.0.0.1:${port}${signallingPath}`;
  const liar = await lyingServer(honest);

  const failures: Error[] = [];
  const members: LiveMember[] = [];
  // One member may lead, so that the server cannot choose by claiming who came first (guides/live-room.md).
  for (const label of ['one', 'two']) {
    const link = { signalling: liar.url, room: 'besieged' };
    const onFailure = (error: Error) => failures.push(error);
    members.push(await joinRoom(link, { label, mayLead: label === 'one' }, bls, { onFailure }));
  }
  const [leader, guest] = members as [LiveMember, LiveMember];
  const here = () => leader.isLeader && members.every((member) => present(member).length === members.length);

  const victim = guest.view().self;
  let rounds = 0;
  const lost: string[] = [];
  const runRound = async (): Promise<void> => {
    rounds++;
    // A lying server can claim that a member left, and a heartbeat may be late, so the leader first waits.
    if (!(await settled(here))) lost.push(`round ${rounds}: not all there: ${shown(members)}`);
    leader.propose({ message: `besieged ${rounds}`, share: 1 });
    leader.start();
    const round = leader.view().round?.number;
    const results = () => members.map((member) => member.view().result);
    const done = () => results().every((result) => result?.round === round && result?.weight === members.length);
    if (!(await settled(done))) lost.push(`round ${rounds}: not done: ${shown(members)}`);
    else if (results().some((result) => !isValid(bls, result!)))
      lost.push(`round ${rounds}: a multi-signature does not verify`);
  };
  // The links between the members are opened for the first round, and remain open.
  await runRound();
  const before = descriptors();
  const halfOpen = Array.from({ length: halfOpenCount }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET /signal HTTP/1.1\r\nHost: 127.0');
    return socket;
  });
  let sent = 0;
  let over = false;
  const attack = async (): Promise<void> => {
    // Only the first visitors of each time find a connection free, so each time begins with another kind.
    for (let first = 0; !over; first++) {
      await Promise.all(Array.from({ length: visitors }, (_, kind) => visit(honest, victim, first + kind)));
      sent += visitors;
    }
  };
  const attacking = attack();
  const refusedSoFar = (): Record<string, number> => {
    const refused: Record<string, number> = { ...signalling.counts.refused };
    for (const member of members) {
      const { signalsRefused, refused: ofRoom } = member.view();
      addTo(refused, prefixed('signal', signalsRefused));
      addTo(refused, prefixed('card', ofRoom));
    }
    return refused;
  };
  const growth = new Growth(seconds);
  const course = new Course(seconds, codes, growth);
  while (course.goesOn(rounds, refusedSoFar)) await runRound();
  over = true;
  await attacking;
  lost.push(...failures.map(({ message }) => message));
  const grownMb = growth.mb;
  const refused = refusedSoFar();
  for (const socket of halfOpen) socket.destroy();
  await settled(() => descriptors() <= before && signalling.counts.connections === members.length);
  const descriptorsLeft = Math.max(0, descriptors() - before);
  const { connections } = signalling.counts;
  if (connections !== members.length) lost.push(`${connections} connections left`);
  for (const member of members) await member.close();
  liar.close();
  signalling.close();
  http.closeAllConnections();
  await new Promise((closed) => http.close(closed));
  return {
    target: 'live room of 2 and its signalling server',
    attacks: [
      ...['flood', 'rooms', 'names', 'connections', 'foreign page', 'rebound name', 'half-open', 'Byzantine server'],
    ],
    sent: sent + liar.told() + halfOpenCount,
    rounds,
    lost,
    refused,
    expected: codes,
    grownMb,
    descriptorsLeft,
  };
}

/** Returns the genuine members that a member shows as present, without those that the server invented. */
function present(member: LiveMember): string[] {
  return member
    .view()
    .members.filter(({ condition }) => condition === 'here')
    .map(({ name }) => name);
}

/** Returns each member's view of its room, to describe a lost round. */
function shown(members: readonly LiveMember[]): string {
  const views = members.map((member) => {
    const { round, result, members, lost, signalsRefused, serverRefused } = member.view();
    const conditions = members.map(({ label, condition, isByzantine }) => ({ label, condition, isByzantine }));
    return { round: round?.number, weight: result?.weight, conditions, lost, signalsRefused, serverRefused };
  });
  return JSON.stringify(views);
}

function prefixed(word: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([code, times]) => [`${word} ${code}`, times]));
}

async function listening(http: ReturnType<typeof createServer>): Promise<number> {
  await once(http.listen(0, '127.0.0.1'), 'listening');
  return (http.address() as AddressInfo).port;
}

/** Opens one connection of an attacker. The promise resolves when the connection is closed or has sent everything. */
function visit(url: string, victim: string, kind: number): Promise<void> {
  const foreign = { Origin: 'https://elsewhere.example' };
  const rebound = { Host: 'rebound.example', Origin: 'http://rebound.example' };
  const socket = new WebSocket(url, { headers: { 4: foreign, 5: rebound }[kind % 6] ?? {} });
  return new Promise((left) => {
    const leave = () => {
      socket.terminate();
      left();
    };
    socket.on('error', leave);
    socket.on('close', leave);
    socket.on('message', (data) => {
      const notice = JSON.parse(data.toString());
      // The attacker stays for a while, so that others find its place occupied.
      if (notice.type === 'joined') setTimeout(leave, 100);
      if (notice.type === 'refused' && kind % 6 !== 0) leave();
      if (notice.type !== 'challenge') return;
      const secret = nodeCrypto.randomBytes(32);
      const member = toHex(networkKey(nodeCrypto, secret).publicKey);
      const join = (room: string, member: string) => {
        const proof = proveName(nodeCrypto, secret, notice, room);
        socket.send(JSON.stringify({ type: 'join', room, member, card: '', proof }));
      };
      // Depending on its kind, the connection sends nonsense until the server closes it, a new room, or another
      // member's name, or is silent and then ends abruptly.
      if (kind % 6 === 0) for (let one = 0; one < 150; one++) socket.send('nonsense');
      else if (kind % 6 === 1) join(`room-${kind}-${Math.floor(performance.now())}`, member);
      else if (kind % 6 === 2) join('besieged', victim);
      else setTimeout(leave, 300);
    });
  });
}

/** Starts a server that alters and repeats signals, and reports leaves, returns and other cards. */
async function lyingServer(honest: string): Promise<{ url: string; told(): number; close(): void }> {
  const http = createServer();
  const acceptor = new WebSocketServer({ server: http, path: signallingPath });
  const cards = new Map<string, string>();
  let told = 0;
  acceptor.on('connection', (member) => {
    const server = new WebSocket(honest);
    const opened = once(server, 'open').catch(() => {});
    const kept = new Map<string, string[]>();
    const tell = (notice: object) => {
      told++;
      member.send(JSON.stringify(notice));
    };
    member.on('error', () => {});
    server.on('error', () => {});
    member.on('message', (data) => void opened.then(() => server.send(data.toString())));
    server.on('message', (data) => {
      const text = data.toString();
      const notice = JSON.parse(text);
      if (notice.type === 'joined') for (const { member, card } of notice.members) cards.set(member, card);
      if (notice.type === 'came') cards.set(notice.member, notice.card);
      if (notice.type !== 'signal') {
        member.send(text);
        return;
      }
      const { from } = notice;
      const at = notice.text.length >> 1;
      const letter = notice.text[at] === 'a' ? 'b' : 'a';
      tell({ ...notice, text: notice.text.slice(0, at) + letter + notice.text.slice(at + 1) });
      member.send(text);
      const signals = kept.get(from) ?? [];
      kept.set(from, signals);
      if (signals.length < maxKept) signals.push(text);
      const nobody = toHex(nodeCrypto.randomBytes(32));
      tell({ type: 'went', member: nobody });
      tell({ type: 'went', member: from });
      tell({ type: 'came', member: from, card: cards.get(from) ?? '' });
      tell({ type: 'came', member: nobody, card: cards.get(from) ?? '' });
      for (const signal of [text, ...signals]) tell(JSON.parse(signal));
      tell({ type: 'went', member: nobody });
    });
    member.on('close', () => server.terminate());
    server.on('close', () => member.terminate());
  });
  const port = await listening(http);
  return {
    url: `ws://127.0.0.1:${port}${signallingPath}`,
    told: () => told,
    close() {
      for (const client of acceptor.clients) client.terminate();
      acceptor.close();
      http.closeAllConnections();
      http.close();
    },
  };
}
