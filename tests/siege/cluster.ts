import { randomBytes, randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@tutti/core';
import { fromHex } from '@tutti/core/input';
import type { Bls } from '@tutti/wasm-bls';
import { isRunning } from '../../apps/node-cli/src/output/temporaryFiles.ts';
import { isSigned, type Signed } from '../isSigned.ts';
import { appears, type Ready, startWith } from '../tutti.ts';
import { addTo, Course, forged, ProcessGrowth, type Siege, settled } from './besieged.ts';

const nodeCount = 12;
const processCount = 2;
/** Maximum number of overheard packets that the attacker stores. */
const maxOverheard = 512;
/** Number of packets after which the attacker checks the processes, or kills one. */
const lookEach = 256;
const firstRounds = 3;
/** Number of rounds of the run that is killed before its last round. */
const killedRounds = 10_000;
/** Offset of the sender's index in a packet (docs/reference/channel-and-wire.md). */
const senderAt = 5;
const codes = [
  ...['forged', 'replayed', 'misaddressed', 'unknown-sender', 'wrong-session', 'wrong-version'],
  ...['too-short', 'too-long', 'process killed'],
];

interface Document {
  readonly refused: Readonly<Record<string, number>>;
  readonly rounds: readonly (Signed & { readonly reached: number })[];
}

/** Besieges runs of `tutti cluster`: replays, forges, misdirects and floods packets, and kills processes. */
export async function besiegeCluster(bls: Bls, folder: string, seconds: number): Promise<Siege> {
  const attacker = createSocket('udp4');
  attacker.bind(0, '127.0.0.1');
  await once(attacker, 'listening');
  const environment = {
    NODE_OPTIONS: `--import ${new URL('./tap.mjs', import.meta.url).href}`,
    TUTTI_SIEGE_TAP: String(attacker.address().port),
  };
  const refused: Record<string, number> = {};
  let sent = 0;
  let rounds = 0;
  const lost: string[] = [];
  let runs = 0;
  let longest: { readonly rounds: number; readonly growth: ProcessGrowth } | undefined;

  /** Runs a cluster under attack. Returns the cluster's document, or undefined if the cluster was killed. */
  const run = async (count: number, ownSeconds: number, kill: boolean): Promise<Document | undefined> => {
    const name = `siege-${++runs}`;
    const out = join(folder, `${name}.json`);
    const ready = appears(folder, `${name}.ports`);
    const { child, finished } = startWith(environment, [
      ...['cluster', '--nodes', String(nodeCount), '--processes', String(processCount), '--rounds', String(count)],
      ...['--threshold', '1', '--timeout', '3600', '--seed', String(randomInt(2 ** 32 - 1)), '--json'],
      ...['--out', out, '--ports-file', join(folder, `${name}.ports`)],
    ]);
    const { nodes, processes }: Ready = JSON.parse(
      readFileSync(await Promise.race([ready, finished.then(told)]), 'utf8'),
    );
    const growth = new ProcessGrowth([child.pid!, ...processes], ownSeconds);
    const attack = new Attack(attacker, nodes, (heard) => {
      if (heard % lookEach !== 0) return;
      growth.look();
      if (kill && heard === lookEach) process.kill(processes[randomInt(processCount)]!, 'SIGKILL');
    });
    await finished;
    sent += attack.end();
    const { code, out: printed, err } = await finished;
    if (kill) {
      const isClean =
        code === 1 && /(^|\n)tutti: process \d of \d ended by SIGKILL before the run was over\n$/.test(err);
      await settled(() => processes.every((pid) => !isRunning(pid)));
      if (isClean && printed === '' && !existsSync(out) && !processes.some(isRunning))
        addTo(refused, { 'process killed': 1 });
      else lost.push(`killed: exit code ${code}, ${JSON.stringify(err)}, printed ${printed.length}`);
      return undefined;
    }
    if (code !== 0) throw new Error(`a besieged cluster ended with exit code ${code}: ${err}`);
    const document: Document = JSON.parse(printed);
    const keys: string[] = JSON.parse(readFileSync(join(folder, `${name}.public-keys.json`), 'utf8'));
    for (const suffix of ['json', 'ports', 'public-keys.json', 'registry.json'])
      rmSync(join(folder, `${name}.${suffix}`));
    const publicKeys = keys.map((key) => fromHex(key, 48)!);
    addTo(refused, document.refused);
    rounds += document.rounds.length;
    for (const round of document.rounds)
      if (round.reached < nodeCount || !isSigned(bls, round, publicKeys))
        lost.push(`${round.message}: ${round.reached} of ${nodeCount} reached, bits ${round.bitset}`);
    if (longest === undefined || count > longest.rounds) longest = { rounds: count, growth };
    return document;
  };

  const course = new Course(seconds, codes, { look: () => {} });
  // The first two runs are short. The first one determines the number of rounds for the remaining time.
  const startedMs = performance.now();
  await run(firstRounds, 0, false);
  const aRoundSeconds = (performance.now() - startedMs) / 1000 / firstRounds;
  await run(killedRounds, 0, true);
  while (course.goesOn(rounds, () => refused)) {
    const left = Math.max(0, course.secondsLeft);
    // A round takes less time than in the first run, which also had to create keys, so the last runs are short.
    await run(Math.max(firstRounds, Math.ceil(left / aRoundSeconds)), left, false);
  }
  attacker.close();
  return {
    target: `tutti cluster of ${nodeCount} in ${processCount} processes`,
    attacks: ['flood', 'replay', 'forge', 'misdirect', 'frozen clock', 'kill and restart'],
    sent,
    rounds,
    lost,
    refused,
    expected: codes,
    grownMb: longest!.growth.mb,
    descriptorsLeft: longest!.growth.descriptors,
  };
}

/** Throws an error if a cluster ended before it was ready. */
function told({ code, err }: { code: number | null; err: string }): never {
  throw new Error(`the cluster ended with exit code ${code} before it was ready: ${err}`);
}

/** An attacker that overhears a cluster's datagrams, and answers each datagram with five others. */
class Attack {
  readonly #socket: Socket;
  readonly #onCopy: (copy: Buffer) => void;
  readonly #heard: { readonly to: number; readonly bytes: Uint8Array }[] = [];
  #copies = 0;
  #sent = 0;

  /** @param onHeard function that is called with the number of datagrams overheard so far. */
  constructor(socket: Socket, nodes: readonly Endpoint[], onHeard: (copies: number) => void) {
    const anyNode = () => nodes[randomInt(nodes.length)]!.port;
    this.#socket = socket;
    this.#onCopy = (copy) => {
      this.#keep({ to: copy.readUInt16BE(0), bytes: new Uint8Array(copy.subarray(2)) });
      const { to, bytes } = this.#heard[randomInt(this.#heard.length)]!;
      this.#send(to, bytes);
      this.#send(to, forged(bytes));
      this.#send(anyNode(), bytes);
      this.#send(anyNode(), randomBytes(randomInt(1, 1400)));
      // The overheard header, with a sender that is not in the registry.
      this.#send(to, bytes.with(senderAt, 0xff));
      onHeard(++this.#copies);
    };
    socket.on('message', this.#onCopy);
  }

  /** @returns the number of datagrams that the attacker sent. */
  end(): number {
    this.#socket.off('message', this.#onCopy);
    return this.#sent;
  }

  #keep(packet: { readonly to: number; readonly bytes: Uint8Array }): void {
    if (this.#heard.length < maxOverheard) this.#heard.push(packet);
    else this.#heard[randomInt(maxOverheard)] = packet;
  }

  #send(port: number, bytes: Uint8Array): void {
    this.#sent++;
    this.#socket.send(bytes, port, '127.0.0.1', () => {});
  }
}
