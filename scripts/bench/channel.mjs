/**
 * `npm run bench -- channel`: what the authenticated channel costs a packet, in microseconds of CPU and in bytes, with
 * Node's primitives and with noble's, in one process; prints the tables and writes them to docs/records/bench-channel.md. Needs
 * `npm run compile`.
 */

import { nobleCrypto } from '../../packages/transports/dist/browser.js';
import { channelOverheadBytes } from '../../packages/transports/dist/channel/channel.js';
import { Reassembly, splitMessage } from '../../packages/transports/dist/channel/fragments.js';
import { networkKey } from '../../packages/transports/dist/index.js';
import { Channel, nodeCrypto } from '../../packages/transports/dist/raw.js';
import { grouped } from '../markdown.mjs';
import { machineLine, table, writeRecord } from './frame.mjs';

const roundCount = 40;
const msACell = 5;
const suites = [nodeCrypto, nobleCrypto];

/** A message with two signatures of a small level, and one that fills a datagram. */
const sizes = [210, 1140];

const operations = [
  ...sizes.flatMap((bytes) => [
    [`seal ${bytes} bytes`, (suite) => sealing(suite, bytes)],
    [`open ${bytes} bytes`, (suite) => opening(suite, bytes)],
    [`refuse ${bytes} bytes, forged`, (suite) => refusing(suite, bytes, 'forged', (packet) => alter(packet, -1))],
  ]),
  ['refuse 210 bytes, replayed', (suite) => replaying(suite)],
  [
    'refuse 210 bytes, of another round',
    (suite) => refusing(suite, 210, 'wrong-session', (packet) => alter(packet, 1)),
  ],
  ['meet a peer: shared secret, keys, first packet', (suite) => meeting(suite)],
  ['split and seal, open and join 2,400 bytes', (suite) => splitting(suite)],
];

const rows = operations.map(([name, make]) => {
  const runs = suites.map(make);
  for (const run of runs) microsecondsOf(run);
  const rounds = Array.from({ length: roundCount }, () => runs.map(microsecondsOf));
  // Who else uses the machine makes a round slower, never faster.
  const [node, noble] = suites.map((_, at) => Math.min(...rounds.map((round) => round[at])));
  console.error(`${name}: ${node.toFixed(2)} µs, ${noble.toFixed(2)} µs`);
  return [name, node.toFixed(2), noble.toFixed(2), `x ${(noble / node).toFixed(1)}`];
});

const bytes = [1, 98, 210, 600, 1147, 1148, 1149, 2400, 65733].map((length) => {
  const payloads = splitMessage(new Uint8Array(length), 1200 - channelOverheadBytes, 0);
  const sent = payloads.reduce((sum, payload) => sum + payload.length + channelOverheadBytes, 0);
  const added = (((sent - length) / length) * 100).toFixed(1);
  return [grouped(length), payloads.length, grouped(sent), `${added} %`];
});

writeRecord(
  'bench-channel',
  `# What the channel costs

Printed by \`npm run bench -- channel\`. [The channel](../channel.md) seals each packet; this is what a packet costs in time and in bytes (Handel v1.03,
section 2.3, assumes the channel and counts neither).

${machineLine()} The machine was shared: one process, ${roundCount} rounds, each of which runs both suites in turn (${msACell} ms of CPU at a time). A cell is the minimum over the rounds, in microseconds of the process's CPU: other work on the machine makes a round slower, never faster.

${table(['µs of CPU', 'node:crypto', 'noble', 'noble to node'], rows)}

To a whole message, framing adds one byte, and the packet's header and tag add ${channelOverheadBytes}; to a piece, nine and ${channelOverheadBytes}. In packets of 1,200 bytes:

${table(['message, bytes', 'packets', 'sent, bytes', 'added'], bytes)}
`,
);

/** Each operation is made for a suite, and does itself so many times. */
function sealing(suite, length) {
  const [sender] = pair(suite);
  const payload = new Uint8Array(length);
  return (times) => {
    for (let i = 0; i < times; i++) sender.seal(1, payload);
  };
}

function opening(suite, length) {
  const [sender, receiver] = pair(suite);
  const payload = new Uint8Array(length);
  return prepared(
    (times) => Array.from({ length: times }, () => sender.seal(1, payload)),
    (packet) => mustBe(receiver.open(packet).ok),
  );
}

function refusing(suite, length, code, change) {
  const [sender, receiver] = pair(suite);
  const packet = change(sender.seal(1, new Uint8Array(length)));
  return (times) => {
    for (let i = 0; i < times; i++) mustBe(receiver.open(packet).code === code);
  };
}

function replaying(suite) {
  const [sender, receiver] = pair(suite);
  const packet = sender.seal(1, new Uint8Array(210));
  receiver.open(packet);
  return (times) => {
    for (let i = 0; i < times; i++) mustBe(receiver.open(packet).code === 'replayed');
  };
}

function meeting(suite) {
  const keys = [networkKey(suite), networkKey(suite)];
  return prepared(
    (times) => Array.from({ length: times }, () => channelOf(suite, keys, 0)),
    (channel) => channel.seal(1, new Uint8Array(210)),
  );
}

function splitting(suite) {
  const [sender, receiver] = pair(suite);
  const message = new Uint8Array(2400);
  let number = 0;
  const reassembly = new Reassembly({ maxMessageBytes: 2400, onRefused: (code) => mustBe(code === undefined) });
  return (times) => {
    for (let i = 0; i < times; i++) {
      let whole;
      for (const payload of splitMessage(message, sender.maxPayloadBytes, number++))
        whole = reassembly.take(0, receiver.open(sender.seal(1, payload)).payload);
      mustBe(whole.length === message.length);
    }
  };
}

/** An operation on things that are made before the clock runs. */
function prepared(make, use) {
  let things = [];
  const run = (times) => {
    for (let i = 0; i < times; i++) use(things[i]);
  };
  run.prepare = (times) => {
    things = make(times);
  };
  return run;
}

function pair(suite) {
  const keys = [networkKey(suite), networkKey(suite)];
  const channels = [0, 1].map((self) => channelOf(suite, keys, self));
  // Two that have heard each other.
  for (const self of [0, 1]) mustBe(channels[1 - self].open(channels[self].seal(1 - self, new Uint8Array(1))).ok);
  return channels;
}

function channelOf(crypto, keys, self) {
  const publicKeys = keys.map(({ publicKey }) => publicKey);
  return new Channel({ crypto, session: new Uint8Array(32), self, secret: keys[self].secret, publicKeys });
}

function alter(packet, at) {
  const copy = packet.slice();
  copy[at < 0 ? copy.length + at : at] ^= 1;
  return copy;
}

/** Of one call, over as many calls as fill a cell. */
function microsecondsOf(run) {
  for (let times = 16; ; times *= 2) {
    run.prepare?.(times);
    const began = process.cpuUsage();
    run(times);
    const { user, system } = process.cpuUsage(began);
    if (user + system >= msACell * 1000) return (user + system) / times;
  }
}

function mustBe(condition) {
  if (!condition) throw new Error('the channel does not do what is measured');
}
