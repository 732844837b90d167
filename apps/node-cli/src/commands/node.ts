import { existsSync } from 'node:fs';
import { type CertificateForm, certificateForms, type ListedRegistry, memberKeys } from '@tutti/certificates';
import { blsVariantOf, looksLikeIdentity } from '@tutti/core';
import { EnvironmentError } from '@tutti/core/input';
import { impaired, roundMessage, type Transport } from '@tutti/transports';
import { monotonicClock, monotonicNs } from '@tutti/transports/node';
import type { Bls } from '@tutti/wasm-bls';
import { Command } from 'commander';
import { placesOfKey } from '../certify/memberFiles.ts';
import { approvedMessages, requireToken, runCertifier } from '../certify/runCertifier.ts';
import { type Context, inScope, UsageError } from '../context.ts';
import {
  badValue,
  choice,
  type FlagReader,
  type FlagsOf,
  flag,
  givenFlag,
  integer,
  seconds,
  several,
  toggle,
  withFlags,
  words,
} from '../flags.ts';
import { loadKernel } from '../kernel.ts';
import { labelFlag, type RoomLink, roomLinkFlag } from '../live/roomLink.ts';
import { runRoomNode } from '../live/runRoomNode.ts';
import { hostNameFlag } from '../live/signallingFlags.ts';
import { bindFlag, httpFlag, placeText, proxyFlag } from '../node/addressFlags.ts';
import { beaconPathOf, parseBeacon } from '../node/beaconFile.ts';
import { identify } from '../node/identity.ts';
import { nodeMetrics, serveMetrics } from '../node/metrics.ts';
import { allLogs, jsonLog, type NodeLog, textLog } from '../node/nodeLog.ts';
import { loadRegistry } from '../node/registryFile.ts';
import { documentLog } from '../node/roundDocument.ts';
import { beaconFromHex, beaconPattern, clockRounds, commandedRounds } from '../node/roundSource.ts';
import { type NodePlan, openNodeTransport, RunningNode } from '../node/runNode.ts';
import { type HandelFlags, handelConfig, impairmentFlag, prioritiesFlag, withHandelFlags } from '../nodeFlags.ts';
import { readSecret, readToken, readWhole } from '../output/files.ts';
import { appendTo, PatientOutput, type Unwritten } from '../output/patientOutput.ts';
import { counted, grouped } from '../output/text.ts';

/** Reads a number of seconds up to a day. */
const secondsOfDay = (min: number) => seconds(min, 86_400);

const beaconFlag: FlagReader<Uint8Array> = (text) => {
  const bytes = beaconFromHex(text);
  if (bytes === undefined) throw badValue('--beacon', beaconPattern, text);
  return bytes;
};

/** Flags for rounds: message, members and times. */
const roundFlags = {
  registry: flag('<file>', 'registry of all participants, the same for all nodes', words),
  key: flag('<file>', "file with this node's secrets, from 'tutti registry keygen'", words),
  roomLink: flag(
    '<url>',
    'join the live room with this link from its page, instead of using --registry and --key; the leader of the room starts the rounds and chooses the messages',
    () => roomLinkFlag,
  ),
  label: flag('<name>', 'name shown to the other members of a live room', () => labelFlag, 'node'),
  node: flag(
    '<n>',
    "index of this node's registry entry (default: the entry that the secrets belong to)",
    integer(0, 2 ** 20),
  ),
  roundsFrom: flag(
    '<name>',
    'start of rounds: clock, at multiples of --every since 1970; or stdin, when a line with a round number and an optional beacon arrives',
    choice(['clock', 'stdin']),
    'clock',
  ),
  every: flag('<s>', 'interval between the starts of rounds', secondsOfDay(0.1), 10),
  rounds: flag('<n>', 'number of rounds after which the node ends (default: no limit)', integer(1, 1e9)),
  message: flag(
    '<text>',
    'message to sign, the same for all nodes; {round} is replaced by the round number, which is appended if {round} is absent',
    words,
    'tutti',
  ),
  beacon: flag(
    '<hex>',
    "random bytes, the same for all nodes, that were unknown when the registry was made. Together with the registry and the round number, they seed each round's shuffle (default: the beacon of the registry's members)",
    () => beaconFlag,
  ),
  priorities: prioritiesFlag,
};

/** Flags for addresses, files and output. */
const placeFlags = {
  bind: flag('<address[:port]>', "address to listen on, if it differs from the registry's address", (name) =>
    bindFlag(name),
  ),
  proxy: flag('<host:port>', 'SOCKS5 proxy for TCP connections, such as Tor at 127.0.0.1:9050', () => proxyFlag),
  impair: flag(
    '<shares>',
    'faults applied to sent packets, for tests, such as loss=0.2,duplication=0.1,reordering=0.1',
    () => impairmentFlag,
  ),
  outFolder: flag('<folder>', "write each round's multi-signature to this folder, for 'tutti verify'", words),
  jsonLines: flag(
    '<file>',
    'append events to this file, one JSON document per line; with -, print them to standard output',
    words,
  ),
  json: toggle('print lines of JSON; short for --json-lines -'),
  interval: flag('<s>', 'interval between lines of totals in the JSON output', secondsOfDay(0.1), 10),
  metricsPort: flag(
    '<port>',
    'serve Prometheus metrics at http://HOST:PORT/metrics; port 0 selects a free port',
    integer(0, 65_535),
  ),
  metricsHost: flag('<address>', 'address at which the metrics are served', words, '127.0.0.1'),
  name: flag(
    '<host>',
    "additional host name under which programs may reach --http and --metrics-port, in addition to IP addresses, localhost and the machine's own name; repeatable",
    several(() => hostNameFlag),
  ),
  http: flag(
    '<place>',
    'instead of running rounds, certify messages that programs post to /certificates at HOST:PORT or unix:PATH; port 0 selects a free port',
    () => httpFlag,
  ),
  tokenFile: flag(
    '<file>',
    'file with the token that these programs must send in the header authorization: Bearer TOKEN',
    words,
  ),
  approve: flag(
    '<name>',
    'with --http, which messages from other members to sign: asked signs only messages that were also posted to this node; all signs every message, except that a succession to another registry must be posted to this node; successions signs every message, so that any member can hand over to another registry',
    choice(approvedMessages),
    'asked',
  ),
  requireHeight: toggle(
    'with --http, sign only messages with a height: requests must contain ?height=N, and the node never signs two messages with the same height',
  ),
  format: flag(
    '<name>',
    `with --http, format of certificates for requests without ?format=: ${certificateForms.join(', ')}`,
    choice<CertificateForm>(certificateForms),
    'tutti',
  ),
  grace: flag('<s>', 'maximum time to wait for the current round when the node ends', secondsOfDay(0), 5),
};

type NodeOptions = Required<HandelFlags> & FlagsOf<typeof roundFlags & typeof placeFlags>;

export function nodeCommand(context: Context): Command {
  const command = new Command('node').description(
    'Run one node of a registry or of a live room. In each round the node signs a message and, with the other nodes, aggregates all signatures into a multi-signature. Ctrl-C or SIGTERM ends the node after the current round; a second Ctrl-C ends it at once.',
  );
  withHandelFlags(withFlags(command, roundFlags), { text: 'dissemination period', defaultMs: 50 });
  return withFlags(command, placeFlags).action((options: NodeOptions) => run(options, command, context));
}

async function run(options: NodeOptions, command: Command, context: Context): Promise<void> {
  const { registry, key, roomLink: room, roundsFrom: begin, json, jsonLines } = options;
  if (json && jsonLines !== undefined)
    throw new UsageError('--json: cannot be combined with --json-lines, which already selects the output');
  if (room !== undefined) return runInRoom(room, options, command, context);
  if (registry === undefined || key === undefined)
    throw new UsageError(
      `${registry === undefined ? '--registry' : '--key'}: expected a file name, or --room-link with the link to a live room`,
    );
  requireServerFlags(options, command);
  const ofClock = begin === 'stdin' ? givenFlag(command, (flag) => ['--rounds', '--every'].includes(flag)) : undefined;
  if (ofClock !== undefined)
    throw new UsageError(
      `${ofClock}: cannot be combined with --rounds-from stdin, because the input starts the rounds and its end ends the node`,
    );
  if (looksLikeIdentity(roundMessage(options.message, 0)))
    throw new UsageError('--message: expected a message other than an identity statement');
  const token = tokenOf(options);
  const secrets = readSecret(key, (text) => memberKeys(text, key));
  const members = await loadRegistry(registry, context);
  const { entries } = members;
  const bls = await loadKernel(blsVariantOf(entries));
  const identity = identify(bls, entries, secrets, options.node, key);
  const beacon = options.beacon ?? beaconOfRegistry(registry, bls, members);
  const openTransport = async () => {
    const opened = await openNodeTransport(entries, identity.index, options);
    return options.impair === undefined ? opened : impaired(opened, options.impair, Math.random);
  };
  if (options.http !== undefined) {
    const { http, format: form, name: names = [], requireHeight: needsHeight = false } = options;
    const plan = { bls, registry: members, identity, openTransport, http, names, form, token, beacon, needsHeight };
    return runCertifier({ ...plan, ...placesOfKey(key), approves: options.approve }, context);
  }
  const isUnseeded = beacon === undefined && begin === 'clock';
  await runRounds({ bls, registry: members, identity, openTransport, beacon }, options, context, () => {
    if (isUnseeded)
      context.err(
        `tutti: ${beaconPathOf(registry)}: is missing, so an attacker can compute the nodes' positions in the tree in advance and choose keys accordingly; make this file with 'tutti registry sign' and 'tutti registry beacon', or use --beacon\n`,
      );
  });
}

/** Resources that a node needs to run rounds. */
interface RoundsPlan extends Pick<NodePlan, 'bls' | 'registry' | 'identity' | 'beacon'> {
  readonly openTransport: () => Promise<Transport>;
}

/**
 * Runs a node until its last round ends or the user interrupts it.
 *
 * @param onReady called when the node listens.
 */
async function runRounds(
  { openTransport, ...plan }: RoundsPlan,
  options: NodeOptions,
  context: Context,
  onReady: () => void,
): Promise<void> {
  const { registry, identity } = plan;
  const { entries } = registry;
  const { roundsFrom: begin, every, rounds } = options;
  const config = handelConfig(options, entries.length);
  const unwritten: Unwritten = { lines: 0, documents: 0 };
  const node = await inScope(async (scope) => {
    const logs: NodeLog[] = [];
    const transport = scope.own(await openTransport(), (one) => one.close());
    const node = new RunningNode({
      ...plan,
      transport,
      clock: monotonicClock(monotonicNs()),
      config,
      text: options.message,
      priorities: options.priorities,
      log: allLogs(logs),
      unwritten,
      warn: context.err,
      intervalMs: options.interval * 1000,
      graceMs: options.grace * 1000,
    });
    scope.handOver(transport);
    scope.own(node, (one) => one.close());
    if (options.outFolder !== undefined) {
      const output = new PatientOutput(options.outFolder, 'documents', unwritten, context.err);
      logs.push(documentLog(options.outFolder, node.group.digest, registry, output));
    }
    bearOutput(unwritten, context);
    const lines = linesPath(options);
    if (lines !== undefined) logs.push(jsonLog(lineWriter(lines, unwritten, context)));
    if (options.metricsPort !== undefined) {
      const metrics = nodeMetrics(() => node.totals());
      const { metricsHost, metricsPort, name: names } = options;
      const server = scope.own(await serveMetrics(metrics.registry, metricsHost, metricsPort, names), (one) =>
        one.close(),
      );
      context.err(`metrics at ${placeText({ host: metricsHost, port: metricsPort }, server.port)}/metrics\n`);
      logs.push(metrics.log);
    }
    if (lines !== '-') logs.push(textLog(context, entries.length, config.threshold));
    const { host, port } = transport.local;
    context.err(`node ${identity.index} of ${grouped(entries.length)} listens at ${host}, port ${port}\n`);
    onReady();
    const source =
      begin === 'stdin'
        ? commandedRounds(process.stdin, context.signal)
        : clockRounds(every * 1000, rounds ?? Number.POSITIVE_INFINITY, context.signal);
    await node.run(source, context.signal);
    return node;
  });
  reportMissing(node, unwritten, context);
}

/** Flags that apply only with `--http`. */
const apiFlags = ['--approve', '--format', '--require-height', '--token-file'];

/** All flags that apply with `--http`. */
const certifierFlags = [
  ...['--http', '--registry', '--key', '--node', '--beacon', '--bind', '--proxy', '--impair', '--name', '--quiet'],
  ...apiFlags,
];

/** @throws UsageError for a flag that has no effect, because its server or room is missing or because of `--http`. */
function requireServerFlags({ http, name, metricsPort }: NodeOptions, command: Command): void {
  const other = givenFlag(command, (flag) =>
    http === undefined ? apiFlags.includes(flag) : !certifierFlags.includes(flag),
  );
  if (other !== undefined)
    throw new UsageError(`${other}: ${http === undefined ? 'valid only with' : 'cannot be combined with'} --http`);
  if (name !== undefined && http === undefined && metricsPort === undefined)
    throw new UsageError('--name: valid only with --http or --metrics-port');
  if (metricsPort === undefined && givenFlag(command, (flag) => flag === '--metrics-host') !== undefined)
    throw new UsageError('--metrics-host: valid only with --metrics-port');
  if (givenFlag(command, (flag) => flag === '--label') !== undefined)
    throw new UsageError('--label: valid only with --room-link');
}

/**
 * Returns the token that the HTTP API of `--http` requires.
 *
 * @throws UsageError if a token is required but missing, or if its file is empty.
 */
function tokenOf({ http, tokenFile }: NodeOptions): string | undefined {
  const token = tokenFile === undefined ? undefined : readToken(tokenFile);
  if (http !== undefined) requireToken(http, token);
  return token;
}

/**
 * Prints the number of lines and documents that could not be written.
 *
 * @throws EnvironmentError `rounds-missed` if any round did not reach the threshold.
 */
function reportMissing(node: RunningNode, unwritten: Unwritten, context: Context): void {
  const { roundsStarted, roundsMissed } = node.totals();
  if (unwritten.lines + unwritten.documents > 0)
    context.err(
      `tutti: could not write ${counted(unwritten.lines, 'line')} and ${counted(unwritten.documents, 'document')} of rounds\n`,
    );
  if (roundsMissed > 0)
    throw new EnvironmentError(
      'rounds-missed',
      `${roundsMissed} of ${counted(roundsStarted, 'round')} did not reach the threshold`,
    );
}

/** Returns the path of the file for JSON lines; undefined if no JSON lines are requested. */
function linesPath({ json, jsonLines }: NodeOptions): string | undefined {
  return json ? '-' : jsonLines;
}

/** Returns the beacon of the registry; undefined if the registry's folder contains no beacon file. */
function beaconOfRegistry(file: string, bls: Bls, registry: ListedRegistry): Uint8Array | undefined {
  const path = beaconPathOf(file);
  return existsSync(path) ? parseBeacon(bls, readWhole(path), registry, path) : undefined;
}

/** Flags that apply to a member of a live room. */
const roomFlags = ['--room-link', '--label', '--rounds', '--json', '--json-lines', '--quiet'];

async function runInRoom(link: RoomLink, options: NodeOptions, command: Command, context: Context): Promise<void> {
  const { registry, key, label, rounds = Number.POSITIVE_INFINITY } = options;
  const lines = linesPath(options);
  if (registry !== undefined || key !== undefined)
    throw new UsageError(
      '--room-link: cannot be combined with --registry or --key, because a member makes its keys when it joins',
    );
  const other = givenFlag(command, (flag) => !roomFlags.includes(flag));
  if (other !== undefined) throw new UsageError(`${other}: cannot be combined with --room-link`);
  const unwritten: Unwritten = { lines: 0, documents: 0 };
  bearOutput(unwritten, context);
  const jsonLines = lines === undefined ? undefined : lineWriter(lines, unwritten, context);
  const text = lines === '-' ? undefined : context.out;
  await runRoomNode({ link, label, rounds, jsonLines, text }, context.signal);
}

/** Returns a function that writes lines to a file, or to the standard output if the path is `-`. */
function lineWriter(path: string, unwritten: Unwritten, context: Context): (line: string) => void {
  return path === '-' ? context.out : appendTo(path, new PatientOutput(path, 'lines', unwritten, context.err));
}

/** Lets a node continue when the disk that stores its standard output is full, and counts the lost lines. */
function bearOutput(unwritten: Unwritten, { bearUnwritten, err }: Context): void {
  const output = new PatientOutput('standard output', 'lines', unwritten, err);
  bearUnwritten?.((code) => output.lost(code));
}
