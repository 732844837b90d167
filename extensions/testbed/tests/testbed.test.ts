import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runMain } from '../../../apps/node-cli/test/runMain.ts';
import { isWhole, sampled } from '../../../tests/sampled.ts';
import { appears, start, temporaryFolder, tutti } from '../../../tests/tutti.ts';
import { TestbedNetwork } from '../src/testbedNetwork.ts';
import { missingRequirement } from '../src/tools.ts';

const folder = temporaryFolder();
const missing = missingRequirement();
const why = missing === undefined ? '' : ` (skipped: ${missing.message})`;

/** Program that echoes all datagrams to port 7000. */
const echo = `
  const socket = require('node:dgram').createSocket('udp4');
  socket.on('message', (bytes, { port, address }) => socket.send(bytes, port, address));
  socket.bind(7000, () => console.log('bound'));
`;

/**
 * Program that repeatedly sends a datagram to port 7000 of an address, and prints the answering address and the
 * round-trip time in ns.
 */
const probe = `
  const socket = require('node:dgram').createSocket('udp4');
  const ask = () => socket.send(String(process.hrtime.bigint()), 7000, process.argv[1]);
  socket.on('message', (bytes, { address }) => {
    console.log(address + ' ' + (process.hrtime.bigint() - BigInt(bytes.toString())));
    process.exit();
  });
  ask();
  setInterval(ask, 50);
`;

describe.skipIf(missing !== undefined)(`the network of a testbed${why}`, () => {
  const oneWayUs = 20_000;
  let network: TestbedNetwork;

  beforeAll(async () => {
    network = await TestbedNetwork.open({
      hosts: 3,
      latency: () => oneWayUs,
      rateMbit: Number.POSITIVE_INFINITY,
      faults: [],
      seed: 1,
      onFailure: (error) => {
        throw error;
      },
    });
  });
  afterAll(() => network.close());

  /** Runs a Node program on a host, and returns the program's first line of output. */
  async function firstLineOn(host: number, program: string, ...args: string[]): Promise<string> {
    const [command, ...rest] = network.inside(host, [process.execPath, '-e', program, ...args]);
    const child = spawn(command!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) return line;
    throw new Error('expected a line, got none');
  }

  it('a packet takes at least the requested round trip, and has the address of its host', async () => {
    expect(await firstLineOn(1, echo)).toBe('bound');
    const [from, roundTripNs] = (await firstLineOn(0, probe, '198.18.0.2')).split(' ');
    expect(from).toBe('198.18.0.2');
    expect(Number(roundTripNs)).toBeGreaterThanOrEqual(2 * oneWayUs * 1000);
  });

  it('has no route to other networks', async () => {
    const route = `
      require('node:dgram').createSocket('udp4').send('x', 53, '203.0.113.1', (error) => console.log(error.code));
    `;
    expect(await firstLineOn(2, route)).toBe('ENETUNREACH');
  });

  it('delivers nothing to a host that is down, and delivers again after it is up', async () => {
    expect(await firstLineOn(2, echo)).toBe('bound');
    network.router.setDown(2, true);
    const answer = firstLineOn(0, probe, '198.18.0.3');
    while (network.router.counts.toRecord().missed === undefined) await new Promise(setImmediate);
    network.router.setDown(2, false);
    expect(await answer).toMatch(/^198\.18\.0\.3 \d+$/);
  });
});

describe.skipIf(missing !== undefined)(`tutti testbed${why}`, () => {
  const small = ['testbed', '--hosts', '3', '--nodes-per-host', '4'];

  it('a cut delays the run until it is healed, killed nodes restart, paused ones continue, and all reach the threshold', async () => {
    const out = join(folder, 'faults.json');
    const faults = ['--loss', '0.05', '--cut', '0@0+1000', '--kill', '1@200+200', '--pause', '2@100+200'];
    const run = await tutti(...small, '--threshold', '1', ...faults, '--json', '--out', out);
    expect(run.code, run.err).toBe(0);
    const document = JSON.parse(run.out);
    expect(document).toMatchObject({ nodes: 12, live: 12, reached: 12, signers: 12, verifiedBy: 'noble-curves' });
    expect(document.timeToThresholdMs.min).toBeGreaterThanOrEqual(1000);
    expect(document.network).toMatchObject({ pause: 1, restart: 1 });
    for (const what of ['delivered', 'partition', 'loss']) expect(document.network[what], what).toBeGreaterThan(0);
    expect(await runMain(['verify', out, '--registry', document.registryFile])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^valid: 12 of 12 signed/),
    });
  });

  it.runIf(isWhole)(
    'permanently killed hosts do not count, and the others reach the threshold without them',
    async () => {
      const { code, out, err } = await tutti(...small, '--latency', 'none', '--kill', '2@0', '--json');
      expect(code, err).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ nodes: 12, live: 8, reached: 8, network: { crash: 1 } });
    },
  );

  it.runIf(isWhole)(
    'a plan from a file duplicates, delays and alters packets; altered packets are refused',
    async () => {
      const plan = [
        { kind: 'duplication', share: 0.3, withinMs: 20 },
        { kind: 'reordering', share: 0.3, byMs: 20 },
        { kind: 'corruption', share: 0.2 },
      ];
      const file = join(folder, 'plan.json');
      writeFileSync(file, JSON.stringify(plan));
      const args = ['--latency', 'constant:5', '--rate', '100', '--plan', file, '--json'];
      const { code, out, err } = await tutti(...small, ...args);
      expect(code, err).toBe(0);
      const { reached, network, refused } = JSON.parse(out);
      expect(reached).toBe(12);
      for (const { kind } of plan) expect(network[kind], kind).toBeGreaterThan(0);
      expect(refused.replayed).toBeGreaterThan(0);
      expect(Object.keys(refused).length).toBeGreaterThan(1);
    },
  );

  // The nodes send nothing for ten minutes, and one host is stopped during that time.
  const silent = [...small, '--period', '600000', '--fast-path', '0', '--threshold', '1', '--pause', '1@0+600000'];

  /** Returns the ids of the processes that a process has started, without zombies. */
  function childrenOf(pid: number): number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((id) => stateOf(id)?.parent === pid);
  }

  function stateOf(pid: number): { letter: string; parent: number } | undefined {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [letter, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return letter === 'Z' ? undefined : { letter: letter!, parent: Number(parent) };
    } catch {
      return undefined;
    }
  }

  const signals = [
    ['SIGINT', 130, /(^|\n)tutti: interrupted\n$/],
    ['SIGKILL', null, /^((?!tutti:).*\n)*$/],
  ] as const;
  it.each(sampled(signals, 1))('%s leaves no process behind, not even a stopped one', async (signal, code, line) => {
    const ready = appears(folder, `${signal}.ports`);
    const { child, finished } = start(...silent, '--ports-file', join(folder, `${signal}.ports`));
    const { processes, nodes } = JSON.parse(readFileSync(await ready, 'utf8'));
    expect(nodes.map(({ host }: { host: string }) => host)).toContain('198.18.0.3');
    while (stateOf(processes[1])?.letter !== 'T') await new Promise(setImmediate);
    const children = childrenOf(child.pid!);
    // Each host has one process for its nodes, one for its link and one that holds its namespace.
    expect(children).toHaveLength(9);
    expect(children).toEqual(expect.arrayContaining(processes));
    child.kill(signal);
    expect(await finished).toEqual({ code, out: '', err: expect.stringMatching(line) });
    while (children.some((pid) => stateOf(pid) !== undefined)) await new Promise(setImmediate);
  });

  it('a process that dies unexpectedly ends the run, in one line', async () => {
    const ready = appears(folder, 'died.ports');
    const { finished } = start(...silent, '--ports-file', join(folder, 'died.ports'));
    process.kill(JSON.parse(readFileSync(await ready, 'utf8')).processes[0], 'SIGKILL');
    expect(await finished).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(/(^|\n)tutti: testbed host 0 ended by SIGKILL before the run was over\n$/),
    });
  });
});

describe('tutti testbed without its requirements', () => {
  it.each([
    [['--hosts', '0'], '--hosts: expected an integer from 1 to 254, got "0"'],
    [['--hosts', '254', '--nodes-per-host', '17'], 'expected 4,096 nodes at most, got 4,318'],
    [['--hosts', '2', '--kill', '2@5'], 'faults[0].nodes[0]: expected an id from 0 to 1, got 2; its nodes are hosts'],
    [['--cut', '3'], '--cut: expected HOST@MS+MS or HOST-HOST@MS+MS'],
  ])('refuses %j in one line', async (args, line) => {
    const { code, out, err } = await runMain(['testbed', ...args]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^tutti: .*\n$/);
    expect(err).toContain(line);
  });

  it('refuses a folder as the file of sockets before it looks for its requirements', async () => {
    const line = `tutti: ${folder}: expected a regular file to replace, got something else; choose another name\n`;
    expect(await runMain(['testbed', '--ports-file', folder])).toEqual({ code: 1, out: '', err: line });
  });

  it('prints the missing requirement and the action, in one line', async () => {
    const { PATH } = process.env;
    process.env.PATH = folder;
    const found = missingRequirement();
    process.env.PATH = PATH;
    expect(found?.message).toMatch(
      process.getuid?.() === 0
        ? /^testbed: requires ip, nsenter, setpriv, socat, unshare; on Debian: apt-get install iproute2 util-linux socat$/
        : /^testbed: requires (root for network namespaces, got user \d+; run it with sudo|Linux .*)$/,
    );
  });
});
