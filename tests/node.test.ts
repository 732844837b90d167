import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseRegistry } from '@tutti/certificates';
import { loadBls } from '@tutti/wasm-bls';
import { afterEach, describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { insecureEntries, writeMembers } from './entries.ts';
import { freePorts } from './freePorts.ts';
import { isSigned } from './isSigned.ts';
import { isWhole } from './sampled.ts';
import { bin, finishedOf, temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const bls = await loadBls();

/** Creates a registry of this number of nodes on free ports, and a file of secrets for each node. */
const registryOf = async (name: string, nodes: number) => writeMembers(folder, name, await insecureEntries(bls, nodes));

/** Starts a round at each node, and resolves with their reports when all have reached the threshold. */
function complete(nodes: readonly NodeProcess[], round: number): Promise<Line[]> {
  for (const node of nodes) node.begin(round);
  return Promise.all(nodes.map((node) => node.reaches(round)));
}

interface Line {
  readonly type: string;
  readonly round?: number;
  readonly signers?: number;
  readonly refused?: Readonly<Record<string, number>>;
}

const straysOf = ({ type, refused }: Line): number => (type === 'interval' ? (refused!['wrong-session'] ?? 0) : 0);

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
});

/** A `tutti node` process whose rounds start on command, and the output of the process. */
class NodeProcess {
  readonly child: ChildProcess;
  readonly finished: ReturnType<typeof finishedOf>;
  readonly #lines: Line[] = [];
  readonly #waiting: { holds: (line: Line) => boolean; resolve: (line: Line) => void }[] = [];

  constructor(registry: string, key: string, ...more: string[]) {
    const own = ['--rounds-from', 'stdin', '--json-lines', '-', '--interval', '0.1'];
    const args = [bin, 'node', '--registry', registry, '--key', key, ...own, ...more];
    this.child = spawn(process.execPath, args, { stdio: 'pipe' });
    running.add(this.child);
    createInterface({ input: this.child.stdout! }).on('line', (text) => this.#tell(JSON.parse(text)));
    // A killed process no longer reads its input.
    this.child.stdin!.on('error', () => {});
    this.finished = finishedOf(this.child);
  }

  begin(round: number): void {
    this.child.stdin!.write(`${round}\n`);
  }

  /** Returns the first matching line of the output, whether or not it has already been printed. */
  says(holds: (line: Line) => boolean): Promise<Line> {
    const said = this.#lines.find(holds);
    if (said !== undefined) return Promise.resolve(said);
    return new Promise((resolve) => this.#waiting.push({ holds, resolve }));
  }

  /** Number of packets without an open round that have been reported so far. */
  get strays(): number {
    return Math.max(0, ...this.#lines.map(straysOf));
  }

  reaches(round: number): Promise<Line> {
    return this.says((line) => line.type === 'reached' && line.round === round);
  }

  #tell(line: Line): void {
    this.#lines.push(line);
    for (const { holds, resolve } of this.#waiting) if (holds(line)) resolve(line);
  }
}

describe('tutti node', () => {
  it('three processes run rounds: one starts late, one is killed and restarts, and all their signatures verify', async () => {
    const { registry, keys } = await registryOf('three', 3);
    const out = (node: string) => join(folder, node);
    const start = (node: number, name: string) =>
      new NodeProcess(registry, keys[node]!, '--out-folder', out(name), '--threshold', '2');
    const [a, b] = [start(0, 'a'), start(1, 'b')];
    expect(await complete([a, b], 1)).toMatchObject([{ signers: 2 }, { signers: 2 }]);

    const late = start(2, 'late');
    expect((await complete([late], 1))[0]!.signers).toBeGreaterThanOrEqual(2);
    await complete([a, b, late], 2);

    for (const node of [a, b, late]) node.begin(3);
    late.child.kill('SIGKILL');
    await late.finished;
    for (const node of [a, b]) await node.reaches(3);
    const again = start(2, 'again');
    await complete([again], 3);

    // The other nodes have not opened round 4, and a packet of that round does not make them close any round.
    const known = [b, again].map((node) => node.strays);
    a.begin(4);
    for (const [i, node] of [b, again].entries()) await node.says((line) => straysOf(line) > known[i]!);
    for (const node of [b, again]) node.begin(4);
    for (const node of [a, b, again]) await node.reaches(4);

    a.child.kill('SIGTERM');
    b.child.kill('SIGINT');
    again.child.stdin!.end();
    for (const node of [a, b, again]) expect(await node.finished).toMatchObject({ code: 0 });
    const publicKeys = parseRegistry(readFileSync(registry, 'utf8')).map(({ publicKey }) => publicKey);
    for (const path of ['a/round-2.json', 'late/round-1.json', 'again/round-3.json'])
      expect(isSigned(bls, JSON.parse(readFileSync(join(folder, path), 'utf8')), publicKeys), path).toBe(true);
    expect(await runMain(['verify', join(out('b'), 'round-4.json'), '--registry', registry])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^valid: [23] of 3 /),
    });
  });

  it.runIf(isWhole)('on a bad network, two of six processes are killed: the others, then all, finish', async () => {
    const { registry, keys } = await registryOf('six', 6);
    const bad = ['--impair', 'loss=0.2,duplication=0.2,reordering=0.2', '--threshold', '0.6'];
    const nodes = keys.map((key) => new NodeProcess(registry, key, ...bad));
    const killed = [1, 4];
    for (const node of nodes) node.begin(1);
    for (const k of killed) nodes[k]!.child.kill('SIGKILL');
    for (const k of killed) await nodes[k]!.finished;
    const rest = nodes.filter((_, k) => !killed.includes(k));
    for (const node of rest) expect((await node.reaches(1)).signers).toBeGreaterThanOrEqual(4);

    const back = killed.map((k) => new NodeProcess(registry, keys[k]!, ...bad));
    const all = [...rest, ...back];
    for (const { signers } of await complete(all, 2)) expect(signers).toBeGreaterThanOrEqual(4);
    for (const node of all) node.child.stdin!.end();
    for (const node of all) expect(await node.finished).toMatchObject({ code: 0 });
  });

  it('starts rounds by the clock, and ends after the given number of rounds', async () => {
    const { registry, keys } = await registryOf('clock', 1);
    const lines = join(folder, 'clock.jsonl');
    const { code, out } = await tutti(
      ...['node', '--registry', registry, '--key', keys[0]!, '--every', '0.5', '--rounds', '2'],
      ...['--message', 'block {round}!', '--json-lines', lines],
    );
    expect(code).toBe(0);
    const rounds = Array.from(out.matchAll(/^round (\d+): 1 of 1 signed after [\d,]+ ms; /gm), ([, one]) =>
      Number(one),
    );
    expect(rounds).toHaveLength(2);
    expect(rounds[1]).toBeGreaterThan(rounds[0]!);
    const documents = JSON.parse(`[${readFileSync(lines, 'utf8').trim().replaceAll('\n', ',')}]`) as Line[];
    expect(documents.filter(({ type }) => type === 'round')).toMatchObject(
      rounds.map((round) => ({ round, message: `block ${round}!`, signers: 1, refused: {} })),
    );
  });

  it('signs with the digest that `registry check` prints, terms included, and `verify` compares it', async () => {
    const { registry, keys } = await registryOf('terms', 1);
    const plain = readFileSync(registry, 'utf8');
    writeFileSync(registry, JSON.stringify({ ...JSON.parse(plain), epoch: '3', threshold: '2/3', margin: '1/100' }));
    const out = join(folder, 'terms');
    const finished = await tutti(
      ...['node', '--registry', registry, '--key', keys[0]!, '--every', '0.5', '--rounds', '1', '--out-folder', out],
    );
    expect(finished.code, finished.err).toBe(0);
    const [document] = readdirSync(out).filter((name) => name.startsWith('round-'));
    const { digest } = JSON.parse((await runMain(['registry', 'check', registry, '--json'])).out);
    const verify = (...more: string[]) => runMain(['verify', join(out, document!), ...more]);
    for (const more of [
      ['--digest', digest],
      ['--registry', registry],
      ['--registry', registry, '--digest', digest],
    ])
      expect(await verify(...more)).toMatchObject({ code: 0, out: expect.stringContaining(`digest ${digest}`) });
    writeFileSync(join(folder, 'terms.plain.json'), plain);
    const other = await verify('--registry', join(folder, 'terms.plain.json'));
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('expected the registry with digest') });
  });

  it('serves its metrics to Prometheus', async () => {
    const { registry, keys } = await registryOf('measured', 1);
    const [port] = await freePorts(1);
    const node = new NodeProcess(registry, keys[0]!, '--metrics-port', String(port));
    await complete([node], 5);
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const measures = await response.text();
    for (const line of ['tutti_round 5', 'tutti_rounds_started_total 1', 'tutti_rounds_reached_total 1'])
      expect(measures).toContain(`\n${line}\n`);
    expect(measures).toMatch(/^tutti_time_to_threshold_seconds_count 1$/m);
    expect(measures).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
    node.child.stdin!.end();
    expect((await node.finished).code).toBe(0);
  });

  it('gives up a round that cannot reach the threshold, and reports it', async () => {
    const { registry, keys } = await registryOf('alone', 2);
    const node = new NodeProcess(registry, keys[0]!, '--threshold', '1', '--grace', '0.1');
    node.begin(7);
    await node.says(({ type }) => type === 'started');
    node.child.kill('SIGTERM');
    const { code, err } = await node.finished;
    expect(code).toBe(1);
    expect(err).toMatch(/\ntutti: 1 of 1 round did not reach the threshold\n$/);
    const args = ['--registry', registry, '--key', keys[0]!, '--threshold', '1', '--grace', '0.1'];
    const { out } = await commanded(args, '7\n');
    expect(out).toMatch(/^round 7: threshold not reached, 2 of 2 signatures required; sent /);
  });
});

/** Runs a node whose rounds start at these input lines, until the node ends. */
function commanded(args: readonly string[], lines: string, stdout: number | 'pipe' = 'pipe') {
  const child = spawn(process.execPath, [bin, 'node', '--rounds-from', 'stdin', ...args], {
    stdio: ['pipe', stdout, 'pipe'],
  });
  running.add(child);
  child.stdin!.end(lines);
  return finishedOf(child);
}

describe('a node continues', () => {
  it('after a repeated command of a round and after an invalid line', async () => {
    const { registry, keys } = await registryOf('commanded', 1);
    const { code, out, err } = await commanded(['--registry', registry, '--key', keys[0]!], '1\n1\nnext\n2\n');
    expect(out).toMatch(/^round 1: 1 of 1 signed [^\n]*\nround 2: 1 of 1 signed [^\n]*\n$/);
    expect(err.split('\n').slice(1)).toEqual([
      'tutti: round 1: expected a round that is not open yet, got an open round; passed over',
      `tutti: standard input: expected a round's number, 0 to 999999999999999, with a beacon (an even number of hexadecimal digits, at least 32) optionally after it, got "next"; passed over`,
      '',
    ]);
    expect(code).toBe(0);
  });

  // Every write to this device fails as if the disk were full.
  it.runIf(isWhole && existsSync('/dev/full'))('on a full disk, and reports it once', async () => {
    const { registry, keys } = await registryOf('full', 1);
    const node = ['--registry', registry, '--key', keys[0]!];
    const file = await commanded([...node, '--json-lines', '/dev/full'], '1\n2\n3\n');
    expect(file.out.match(/signed after/g)).toHaveLength(3);
    expect(file.err.split('\n').slice(1)).toEqual([
      'tutti: /dev/full: cannot be written (ENOSPC); the command continues and counts missing output',
      expect.stringMatching(/^tutti: could not write \d+ lines and 0 documents of rounds$/),
      '',
    ]);
    expect(file.code).toBe(0);

    const full = openSync('/dev/full', 'w');
    const stdout = await commanded([...node, '--out-folder', join(folder, 'full')], '1\n2\n', full);
    closeSync(full);
    expect(stdout.err).toContain('\ntutti: standard output: cannot be written (ENOSPC); the command continues');
    expect(stdout.code).toBe(0);
    expect(existsSync(join(folder, 'full', 'round-2.json'))).toBe(true);
  });
});

describe('a node that cannot run prints the reason in one line', async () => {
  const { registry, keys } = await registryOf('unable', 2);
  const own = ['--registry', registry, '--key', keys[0]!];

  it.each<[string[], number, RegExp]>([
    [['--registry', registry, '--key', registry], 1, /expected "version": 1 and a list of "secrets"/],
    [[...own, '--node', '2'], 2, /^tutti: --node: expected an entry of the registry, 0 to 1, got 2$/],
    [[...own, '--node', '1'], 1, /expected the secrets of entry 1 of this registry, got none/],
    [[...own, '--rounds-from', 'stdin', '--rounds', '3'], 2, /^tutti: --rounds: cannot be combined with --rounds-from/],
    [[...own, '--bind', 'localhost:1'], 2, /^tutti: --bind: expected an IP address, .*, got "localhost:1"$/],
  ])('%j', async (args, code, line) => {
    const result = await runMain(['node', ...args]);
    expect(result).toMatchObject({ code, out: '', err: expect.stringMatching(/^[^\n]*\n$/) });
    expect(result.err.trimEnd()).toMatch(line);
  });
});

it.runIf(isWhole)('tutti registry check uses all cores for a large registry and finds an invalid entry', async () => {
  const { registry: path } = await registryOf('large', 70);
  expect(await tutti('registry', 'check', path)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/: 70 nodes: .* are valid$/m),
  });
  const document = JSON.parse(readFileSync(path, 'utf8'));
  document.entries[68].proofOfPossession = document.entries[67].proofOfPossession;
  writeFileSync(path, JSON.stringify(document));
  expect(await tutti('registry', 'check', path)).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^tutti: .*large\.json: registry entry 68: proofOfPossession is not valid [^\n]*\n$/m),
  });
});
