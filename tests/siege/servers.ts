import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { RandomStream } from '@tutti/core';
import type { Bls } from '@tutti/wasm-bls';
import { WebSocket } from 'ws';
import { insecureEntries, writeMembers } from '../entries.ts';
import { printed, type Started, startWith } from '../tutti.ts';
import { addTo, Course, ProcessGrowth, type Siege, settled } from './besieged.ts';
import { descriptors } from './proc.mjs';
import { drawVisit, type Visit } from './requests.ts';

/** Number of concurrent connections to each server, below the limit of signalling connections per address. */
const visitors = 64;
/** Expected status codes of the answers; 101 is the answer for a WebSocket. */
const codes = ['101', '200', '400', '403', '404', '405', '415', '421', '431'];
/** Variables for a small heap, which a memory leak fills, but uncollected garbage does not. */
const smallHeap = { NODE_OPTIONS: '--max-old-space-size=48', TUTTI_PROGRESS: 'none' };
const builtPage = new URL('../../apps/visualizer/dist/index.html', import.meta.url);

/** A server of the command line, with a check that the server still answers honest clients correctly. */
interface Besieged {
  readonly name: string;
  readonly run: Started;
  readonly port: number;
  answers(): Promise<boolean>;
}

/** Besieges the HTTP servers. Each server must keep running and answer all honest clients. */
export async function besiegeServers(bls: Bls, folder: string, seconds: number): Promise<Siege> {
  const servers = await started(bls, folder);
  const pids = servers.map(({ run }) => run.child.pid!);
  const growth = new ProcessGrowth(pids, seconds);
  const course = new Course(seconds, codes, growth);
  const open = () => pids.reduce((sum, pid) => sum + descriptors(pid), 0);
  const openAtFirst = open();
  const refused: Record<string, number> = {};
  const lost: string[] = [];
  let rounds = 0;
  while (course.goesOn(rounds, () => refused) && lost.length === 0) {
    const visits = Array.from({ length: visitors }, (_, visitor) => rounds * visitors + visitor);
    rounds++;
    for (const server of servers) {
      const guests = visits.map((number) => {
        const random = new RandomStream(number, `requests to ${server.name}`);
        return new Guest(server.port, drawVisit(random, `127.0.0.1:${server.port}`));
      });
      await Promise.all(guests.map(({ wrote }) => wrote));
      let answers: boolean | undefined;
      const asked = server.answers().catch(() => false);
      void Promise.race([asked, server.run.finished.then(() => false)]).then((right) => {
        answers = right;
      });
      if (!(await settled(() => answers !== undefined, pids)) || !answers) {
        const end = server.run.child.exitCode === null ? '' : `, which ended: ${(await server.run.finished).err}`;
        lost.push(`${server.name} after visits ${visits[0]} to ${visits.at(-1)}${end}`);
      }
      for (const { status } of guests) if (status !== undefined) addTo(refused, { [status]: 1 });
      for (const guest of guests) guest.leave();
    }
    // A member that has left must not occupy descriptors any more.
    if (!(await settled(() => open() <= openAtFirst, pids)))
      lost.push(`${open() - openAtFirst} descriptors more after round ${rounds}`);
  }
  if (refused['500'] !== undefined) lost.push(`${refused['500']} requests were answered by 500`);
  for (const { run } of servers) run.child.kill('SIGINT');
  for (const { name, run } of servers) {
    const { code, err } = await run.finished;
    if (code !== 0 && code !== 130) lost.push(`${name} ended with exit code ${code}: ${err}`);
  }
  return {
    target: 'tutti serve, serve --live, signal, tutti node --http and the metrics of tutti node',
    attacks: ['bad requests', 'ranges', 'incomplete requests', 'aborted requests'],
    sent: rounds * visitors * servers.length,
    rounds,
    lost,
    refused,
    expected: codes,
    grownMb: growth.mb,
    descriptorsLeft: growth.descriptors,
  };
}

async function started(bls: Bls, folder: string): Promise<Besieged[]> {
  const page = readFileSync(builtPage, 'utf8');
  /** Returns the command of a node whose registry has no other member. */
  const alone = async (name: string): Promise<string[]> => {
    const { registry, keys } = writeMembers(folder, name, await insecureEntries(bls, 1));
    return ['node', '--registry', registry, '--key', keys[0]!];
  };
  const local = ['--host', '127.0.0.1', '--port', '0'];
  const showsPage = async (address: string) => {
    const answer = await ask(address);
    return answer.status === 200 && (await answer.text()) === page;
  };
  const node = [...(await alone('metrics')), '--every', '86400', '--metrics-port', '0'];
  let posted = 0;
  return Promise.all([
    server('tutti serve', ['serve', ...local], showsPage),
    server(
      'tutti serve --live',
      ['serve', '--live', ...local],
      async (address) => (await showsPage(address)) && (await challenges(address)),
    ),
    server('tutti serve signal', ['serve', 'signal', ...local], async (address) => {
      const answer = await ask(address);
      return answer.status === 404 && (await challenges(address));
    }),
    server('tutti node --http', [...(await alone('api')), '--http', '127.0.0.1:0'], async (address) => {
      const body = new TextEncoder().encode(`message ${posted++}`);
      const headers = { Connection: 'close' };
      const answer = await fetch(`${address}certificates`, { method: 'POST', body, headers });
      return answer.status === 200 && (await ask(`${address}health`)).status === 200;
    }),
    server('metrics', node, async (address) => {
      const answer = await ask(`${address}metrics`);
      return answer.status === 200 && (await answer.text()).includes('\ntutti_rounds_started_total ');
    }),
  ]);
}

async function server(
  name: string,
  args: readonly string[],
  answers: (address: string) => Promise<boolean>,
): Promise<Besieged> {
  const run = startWith(smallHeap, args);
  const port = Number(await printed(run, /(?:http|ws):\/\/127\.0\.0\.1:(\d+)\//));
  return { name, run, port, answers: () => answers(`http://127.0.0.1:${port}/`) };
}

/** Sends a request over a separate connection, so that no connection remains open. */
function ask(address: string): Promise<Response> {
  return fetch(address, { headers: { Connection: 'close' } });
}

/** Returns whether a WebSocket for signals opens and receives a challenge. */
async function challenges(address: string): Promise<boolean> {
  const socket = new WebSocket(new URL('/signal', address));
  socket.on('error', () => {});
  try {
    const [data] = await once(socket, 'message');
    return JSON.parse(data.toString()).type === 'challenge';
  } finally {
    socket.terminate();
  }
}

class Guest {
  /** HTTP status of the first answer. */
  status: string | undefined;
  /** Resolves when all parts are written, or when the connection has ended. */
  readonly wrote: Promise<void>;
  readonly #socket: Socket;

  constructor(port: number, { pieces, leaves }: Visit) {
    this.#socket = connect(port, '127.0.0.1');
    this.#socket.setNoDelay(true);
    this.#socket.on('error', () => {});
    this.#socket.once('data', (data) => {
      this.status = /^HTTP\/1\.1 (\d{3})/.exec(data.toString('latin1'))?.[1];
    });
    this.wrote = new Promise((done) => {
      this.#socket.once('close', () => done());
      const write = (index: number) => {
        const piece = pieces[index];
        // Each part is written in a separate turn of the event loop, so that it becomes a separate packet.
        if (piece !== undefined) this.#socket.write(piece, () => setImmediate(write, index + 1));
        else {
          if (leaves === 'unheard') this.#socket.destroy();
          if (leaves === 'by a reset') this.#socket.resetAndDestroy();
          done();
        }
      };
      this.#socket.once('connect', () => write(0));
    });
  }

  leave(): void {
    this.#socket.destroy();
  }
}
