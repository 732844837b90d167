import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Bls } from '@tutti/wasm-bls';
import { insecureEntries, writeMembers } from '../entries.ts';
import { bin } from '../tutti.ts';
import { addTo, Course, ProcessGrowth, type Siege, settled } from './besieged.ts';

/** Module that stops a process's wall clock, as on a machine with an empty battery. */
const frozen = 'data:text/javascript,Date.now=()=>1760000000000';
const fullDisk = '/dev/full';
/** Some systems do not have a device that behaves like a full disk. */
const codes = ['command passed over', ...(existsSync(fullDisk) ? ['disk full'] : [])];

/** Besieges three nodes with a stopped clock. One has a full disk, and one is killed in each round. */
export async function besiegeProcesses(bls: Bls, folder: string, seconds: number): Promise<Siege> {
  const { registry, keys } = writeMembers(folder, 'siege', await insecureEntries(bls, 3));
  const start = (index: number) => {
    const lines = index === 1 && existsSync(fullDisk) ? ['--json-lines', fullDisk] : [];
    return new Node(['--registry', registry, '--key', keys[index]!, '--threshold', '0.6', ...lines]);
  };
  const [steady, full] = [start(0), start(1)];
  const refused: Record<string, number> = {};
  const growth = new ProcessGrowth([steady.child.pid!, full.child.pid!], seconds);
  const course = new Course(seconds, [], growth);
  let rounds = 0;
  const lost: string[] = [];
  while (course.goesOn(rounds, () => refused)) {
    rounds++;
    const mortal = start(2);
    const nodes = [steady, full, mortal];
    for (const node of nodes) node.begin(`${rounds}`);
    // A repeated round or an invalid command must not end a node.
    for (const node of [steady, full]) node.begin(`${rounds}\nnonsense`);
    const reached = () => nodes.every((node) => node.signed(rounds));
    const pids = nodes.map(({ child }) => child.pid!);
    if (!(await settled(reached, pids)))
      lost.push(`round ${rounds}: ${nodes.map((node) => node.lastWords()).join(' | ')}`);
    mortal.child.kill('SIGKILL');
  }
  for (const node of [steady, full]) {
    node.child.stdin!.end();
    const code = await node.ended;
    if (code !== 0) lost.push(`a node ended with exit code ${code}: ${node.lastWords()}`);
    const diskFull = node.told(/cannot be written \(ENOSPC\)/);
    addTo(refused, { 'command passed over': node.told(/; passed over$/), 'disk full': diskFull });
  }
  return {
    target: 'three tutti node processes with a frozen clock',
    attacks: ['kill and restart', 'frozen clock', 'full disk', 'repeated and empty commands'],
    // Each round sends one kill, and two invalid commands to each of two nodes.
    sent: 5 * rounds,
    rounds,
    lost,
    refused,
    expected: codes,
    grownMb: growth.mb,
    descriptorsLeft: growth.descriptors,
  };
}

class Node {
  readonly ended: Promise<number | null>;
  readonly child: ChildProcess;
  readonly #out: string[] = [];
  readonly #err: string[] = [];

  constructor(args: readonly string[]) {
    this.child = spawn(process.execPath, ['--import', frozen, bin, 'node', '--rounds-from', 'stdin', ...args], {
      stdio: 'pipe',
    });
    this.child.stdin!.on('error', () => {});
    createInterface({ input: this.child.stdout! }).on('line', (line) => this.#out.push(line));
    createInterface({ input: this.child.stderr! }).on('line', (line) => this.#err.push(line));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  begin(lines: string): void {
    this.child.stdin!.write(`${lines}\n`);
  }

  signed(round: number): boolean {
    return this.#out.some((line) => line.startsWith(`round ${round}: `) && line.includes(' signed after '));
  }

  told(what: RegExp): number {
    return this.#err.filter((line) => what.test(line)).length;
  }

  /** Returns the last lines that the node printed, on standard output and standard error. */
  lastWords(): string {
    return JSON.stringify([...this.#out.slice(-3), ...this.#err.slice(-3)]);
  }
}
