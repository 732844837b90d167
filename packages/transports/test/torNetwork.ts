import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Endpoint } from '@tutti/core';
import { freePorts } from '../../../tests/freePorts.ts';

const run = promisify(execFile);
const host = '127.0.0.1';
/** Number of relays: three hops of a circuit, and two more to connect a client and a service. */
const relays = 5;
const relay = ['ExitRelay 0', 'SocksPort 0'];

export interface TorNetwork {
  readonly socks: Endpoint;
  /** Onion names of the hidden services. Each service has the same port as the listener behind it. */
  readonly onionNames: readonly string[];
  close(): Promise<void>;
}

/** Starts a Tor network on loopback with a SOCKS port and a hidden service per port, and waits for a circuit. */
export async function startTorNetwork(tor: string, ports: readonly number[]): Promise<TorNetwork> {
  const directory = await mkdtemp(join(tmpdir(), 'tutti-tor-'));
  const running: { stop(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(running.map((process) => process.stop()));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const [orPort, dirPort, socksPort, ...relayPorts] = await freePorts(3 + relays);
    const authority = await createAuthority(tor, join(directory, 'authority'), orPort!, dirPort!);
    const common = [...network, authority.line];
    const start = async (name: string, lines: readonly string[]) => {
      const process = await startTor(tor, join(directory, name), [...common, ...lines]);
      running.push(process);
      return process;
    };
    await start('authority', authority.lines);
    for (const [i, port] of relayPorts.entries())
      await start(`relay${i}`, [`Nickname relay${i}`, `Address ${host}`, `ORPort ${host}:${port}`, ...relay]);
    const services = ports.map((_, i) => join(directory, `service${i}`));
    const client = await start('client', [
      `SocksPort ${host}:${socksPort}`,
      ...services.flatMap((service, i) => [
        `HiddenServiceDir ${service}`,
        `HiddenServicePort ${ports[i]} ${host}:${ports[i]}`,
      ]),
    ]);
    await client.ready;
    const onionNames = await Promise.all(
      services.map(async (service) => (await readFile(join(service, 'hostname'), 'utf8')).trim()),
    );
    return { socks: { host: host, port: socksPort! }, onionNames, close };
  } catch (cause) {
    await close();
    throw cause;
  }
}

/** Settings of all nodes: every relay is a guard and a directory, and a consensus takes a few seconds. */
const network = [
  ...['TestingTorNetwork 1', 'AssumeReachable 1', 'PathsNeededToBuildCircuits 0.67', 'TestingDirAuthVoteGuard *'],
  ...['TestingDirAuthVoteHSDir *', 'TestingMinExitFlagThreshold 0', 'V3AuthNIntervalsValid 2'],
  ...['TestingV3AuthInitialVotingInterval 5', 'TestingV3AuthInitialVoteDelay 2', 'TestingV3AuthInitialDistDelay 2'],
  ...['V3AuthVotingInterval 20', 'V3AuthVoteDelay 4', 'V3AuthDistDelay 4', 'ShutdownWaitLength 0', 'Log notice stdout'],
];

async function createAuthority(tor: string, directory: string, orPort: number, dirPort: number) {
  const keys = join(directory, 'keys');
  await mkdir(keys, { recursive: true, mode: 0o700 });
  const gencert = run(`${tor}-gencert`, [
    '--create-identity-key',
    ...['-m', '12', '-a', `${host}:${dirPort}`, '--passphrase-fd', '0'],
    ...['-i', join(keys, 'authority_identity_key')],
    ...['-s', join(keys, 'authority_signing_key')],
    ...['-c', join(keys, 'authority_certificate')],
  ]);
  gencert.child.stdin!.end('of no value\n');
  await gencert;
  const certificate = await readFile(join(keys, 'authority_certificate'), 'utf8');
  const identity = /^fingerprint (\w+)$/m.exec(certificate)![1]!;
  // A relay must report its fingerprint before it can receive the authority's address.
  const nowhere = `authority orport=1 v3ident=${identity} ${host}:1 ${'0'.repeat(40)}`;
  await run(tor, [
    ...['--list-fingerprint', '--quiet', '--datadirectory', directory, '--orport', `${orPort}`],
    ...['--nickname', 'authority', '--dirauthority', nowhere],
  ]);
  const fingerprint = /(\w{40})/.exec(await readFile(join(directory, 'fingerprint'), 'utf8'))![1]!;
  return {
    line: `DirAuthority authority orport=${orPort} v3ident=${identity} ${host}:${dirPort} ${fingerprint}`,
    lines: [
      'Nickname authority',
      `Address ${host}`,
      `ORPort ${host}:${orPort}`,
      `DirPort ${host}:${dirPort}`,
      'AuthoritativeDirectory 1',
      'V3AuthoritativeDirectory 1',
      'ContactInfo nobody',
      ...relay,
    ],
  };
}

async function startTor(tor: string, directory: string, lines: readonly string[]) {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const configuration = join(directory, 'torrc');
  await writeFile(configuration, [`DataDirectory ${directory}`, ...lines, ''].join('\n'));
  const process = spawn(tor, ['-f', configuration], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise<void>((done) => process.once('close', () => done()));
  const log: string[] = [];
  const ready = new Promise<void>((done, failed) => {
    createInterface(process.stdout).on('line', (line) => {
      log.push(line);
      if (line.includes('Bootstrapped 100%')) done();
    });
    ended.then(() => failed(new Error(`tor ended:\n${log.slice(-20).join('\n')}`)));
  });
  // A caller that stops a network does not wait until the network is ready.
  ready.catch(() => {});
  return {
    ready,
    stop(): Promise<void> {
      process.kill('SIGKILL');
      return ended;
    },
  };
}
