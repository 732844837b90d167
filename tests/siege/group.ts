import { randomBytes, randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, type Socket } from 'node:net';
import type { Endpoint } from '@tutti/core';
import type { Transport } from '@tutti/transports';
import { openTcp, openUdp } from '@tutti/transports/node';
import { encodeHello, packetHeader, streamPreface } from '../../packages/transports/src/tcp/framing.ts';
import { peers } from '../../packages/transports/test/peers.ts';
import { addTo, Course, forged, Growth, type Siege, settled, turn } from './besieged.ts';
import { descriptors } from './proc.mjs';

const nodes = 5;
/** Maximum number of stored packets. `burst`: number of packets of each kind that the attacker sends per turn. */
const maxOverheard = 256;
const burst = 12;
const halfOpen = 24;
const codes = ['forged', 'replayed', 'misaddressed', 'unknown-sender', 'wrong-session', 'wrong-version', 'too-short'];

interface Overheard {
  readonly to: Endpoint;
  readonly bytes: Uint8Array;
}

/** Returns a transport that shows an attacker each packet. */
function overheard(transport: Transport, heard: Overheard[]): Transport {
  return {
    local: transport.local,
    maxPacketBytes: transport.maxPacketBytes,
    counters: transport.counters,
    onPacket: (listener) => transport.onPacket(listener),
    send(to, bytes) {
      if (heard.length >= maxOverheard) heard[randomInt(maxOverheard)] = { to, bytes: bytes.slice() };
      else heard.push({ to, bytes: bytes.slice() });
      transport.send(to, bytes);
    },
    close: () => transport.close(),
  };
}

/** Besieges a group for many rounds: replays, forges, misdirects and floods packets, and half-opens connections. */
export async function besiegeGroup(kind: 'udp' | 'tcp', seconds: number): Promise<Siege> {
  const before = descriptors();
  const heard: Overheard[] = [];
  const open = kind === 'udp' ? openUdp : openTcp;
  const opened = await Promise.all(Array.from({ length: nodes }, () => open({ host: '127.0.0.1' })));
  const {
    peers: all,
    planOf,
    runRound,
    verifies,
  } = peers(nodes, { transports: opened.map((one) => overheard(one, heard)) });
  const places = opened.map(({ local }) => local);
  const attacker = kind === 'udp' ? new Datagrams() : new Streams(places);

  let sent = 0;
  let over = false;
  const attack = async (): Promise<void> => {
    while (!over) {
      for (let one = 0; one < burst && heard.length > 0; one++) {
        const { to, bytes } = heard[randomInt(heard.length)]!;
        attacker.send(to, bytes);
        attacker.send(to, forged(bytes));
        attacker.send(places[randomInt(nodes)]!, bytes);
        attacker.send(places[randomInt(nodes)]!, randomBytes(randomInt(1, 1200)));
        sent += 4;
      }
      await turn();
    }
  };
  const attacking = attack();
  const refusedSoFar = (): Record<string, number> => {
    const refused: Record<string, number> = {};
    for (const peer of all) addTo(refused, peer.totals().refused);
    const malformed = opened.reduce((sum, { counters }) => sum + counters.malformed, 0);
    if (malformed > 0) addTo(refused, { malformed });
    return refused;
  };
  const growth = new Growth(seconds);
  const course = new Course(seconds, codes, growth);
  let rounds = 0;
  const lost: string[] = [];
  while (course.goesOn(rounds, refusedSoFar)) {
    rounds++;
    const reports = await runRound(planOf(rounds));
    const weights = reports.map((report) => report.output!.weight);
    if (weights.some((weight) => weight < nodes)) lost.push(`round ${rounds}: weights ${weights}`);
    if (!verifies(reports[0]!)) lost.push(`round ${rounds}: its multi-signature does not verify`);
  }
  over = true;
  await attacking;
  const grownMb = growth.mb;
  const refused = refusedSoFar();
  attacker.close();
  await Promise.all(all.map((peer) => peer.close()));
  await settled(() => descriptors() <= before);
  return {
    target: `group of ${nodes} over ${kind.toUpperCase()}`,
    attacks: ['flood', 'replay', 'forge', 'misdirect', ...(kind === 'tcp' ? ['half-open'] : [])],
    sent: sent + (kind === 'tcp' ? halfOpen * nodes : 0),
    rounds,
    lost,
    refused,
    expected: codes,
    grownMb,
    descriptorsLeft: Math.max(0, descriptors() - before),
  };
}

/** An attacker with a separate UDP socket. */
class Datagrams {
  readonly #socket = createSocket('udp4');

  send(to: Endpoint, bytes: Uint8Array): void {
    this.#socket.send(bytes, to.port, to.host, () => {});
  }

  close(): void {
    this.#socket.close();
  }
}

/** An attacker with connections in other members' names. Some connections never send a complete message. */
class Streams {
  readonly #open = new Map<number, Socket>();
  readonly #halfOpen: Socket[];

  constructor(places: readonly Endpoint[]) {
    this.#halfOpen = places.flatMap(({ host, port }) =>
      Array.from({ length: halfOpen }, (_, index) => {
        const socket = connect(port, host);
        socket.on('error', () => {});
        // The connection sends nothing, half a preface, half a hello, or half a packet.
        const starts = [
          [],
          [...streamPreface].slice(0, 2),
          [...streamPreface, 0, 10, 1],
          [...this.#greeting(), 4, 0, 1],
        ];
        socket.write(Uint8Array.from(starts[index % starts.length]!));
        return socket;
      }),
    );
  }

  send({ host, port }: Endpoint, bytes: Uint8Array): void {
    let socket = this.#open.get(port);
    if (socket === undefined || socket.destroyed) {
      socket = connect(port, host);
      socket.on('error', () => {});
      socket.write(Uint8Array.from(this.#greeting()));
      socket.resume();
      this.#open.set(port, socket);
    }
    // The attacker waits if the other side does not read: data in its own process is not an attack.
    if (socket.writableLength < 1 << 20) socket.write(Uint8Array.of(...packetHeader(bytes.length), ...bytes));
  }

  close(): void {
    for (const socket of [...this.#open.values(), ...this.#halfOpen]) socket.destroy();
  }

  #greeting(): number[] {
    const hello = encodeHello({ nonce: 1n, port: 1, host: '127.0.0.1' });
    return [...streamPreface, ...packetHeader(hello.length), ...hello];
  }
}
