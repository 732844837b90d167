/**
 * Tests a group whose members certify heights, each in a separate process. Processes are killed and stopped, wall
 * clocks are changed, and some heights are forked. Then the load decreases. Every message that a quorum of members
 * approved must then have a certificate at every undisturbed member; for a forked height, this applies to every message
 * that a quorum signed. Approvals and signatures of subsequently killed processes do not count.
 *
 * The thresholds depend on the measured speed of the group. Under load, the group always has three times as many
 * messages as a member has places. The time limit after the load has decreased is a multiple of the time that the group
 * previously took for a burst of messages. Time in which members waited for a core is not counted.
 *
 * `node tests/siege/soak.mjs '{"seconds":180,"members":16}'` prints the results as JSON. The process ends by itself, or
 * together with its parent.
 */
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { verifyCertificate } from '@tutti/certificates';
import { networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { insecureSecretKey, insecureSeed, loadBls } from '@tutti/wasm-bls';
import { descriptors, heldUpMs } from './proc.mjs';

const { seconds, members } = JSON.parse(process.argv[2]);
const giveUpMs = 60_000;

/** Number of members that are killed, stopped, or given another wall clock. The other members are not a quorum. */
const tormented = Math.max(1, Math.floor(members * 0.375));
const steady = members - tormented;
const quorum = Math.ceil(members * 0.67);
/** One in this number of heights is forked: 12.5 %. */
const forkEvery = 8;
let torments = 0;
/** Number of messages that wait for a certificate under load: three times a member's number of places. */
const outstanding = 48;
/** Maximum time between two requests, ms, even if many messages wait. */
const maxEveryMs = 1500;
const burstSize = Math.min(16, members);
/** Maximum ratio of a burst's duration after the load has decreased to its earlier duration. */
const slack = 4;
const spareBursts = 10;
/** Minimum duration that is assumed for a burst, ms: half of a turn of the group. */
const minBurstMs = 1000;
const maxHeights = 4000;
const hourMs = 3_600_000;

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const folder = mkdtempSync(join(tmpdir(), 'tutti-soak-'));
const bls = await loadBls();
const sockets = await Promise.all(
  Array.from({ length: members }, async () => {
    const socket = createSocket('udp4');
    await once(socket.bind(0, '127.0.0.1'), 'listening');
    return socket;
  }),
);
const ports = sockets.map((socket) => socket.address().port);
await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.close(resolve))));
const keys = ports.map((_, index) => ({
  publicKey: bls.publicKey(insecureSecretKey(bls, 1, index)),
  networkKey: networkKey(nodeCrypto, insecureSeed('network', 1, index)).publicKey,
}));
const hex = (bytes) => Buffer.from(bytes).toString('hex');
const registryFile = join(folder, 'registry.json');
writeFileSync(
  registryFile,
  JSON.stringify(
    keys.map((key, index) => ({ publicKey: hex(key.publicKey), networkKey: hex(key.networkKey), port: ports[index] })),
  ),
);
const registry = {
  entries: keys.map((key, index) => ({ ...key, endpoint: { host: '127.0.0.1', port: ports[index] } })),
};

/** For each message, the members that approved it, signed it, and have a certificate for it. */
const messages = new Map();
const recordOf = (words) => {
  if (!messages.has(words))
    messages.set(words, { approved: new Set(), signed: new Set(), certified: new Set(), verified: false });
  return messages.get(words);
};
const lost = [];
const counts = { killed: 0, stopped: 0, stepped: 0, forked: 0 };

class Member {
  constructor(index) {
    this.index = index;
    /** Messages that the member signed, by height, including those before its restarts. */
    this.heights = new Map();
    this.isEnded = false;
  }

  async start() {
    const { index } = this;
    const options = { registryFile, index, logFile: join(folder, `${index}.signed`), giveUpMs };
    const script = fileURLToPath(new URL('./certifier.mjs', import.meta.url));
    this.child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdin.on('error', () => {});
    const { child } = this;
    let err = '';
    child.stderr.on('data', (chunk) => {
      err = `${err}${chunk}`.slice(-500);
    });
    const ready = new Promise((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const said = JSON.parse(line);
        if (said.ready !== undefined) resolve();
        else this.hear(said);
      });
      child.once('close', (code, signal) => {
        reject(new Error(`member ${index} ended before it was ready: ${err}`));
        if (this.child === child && !this.isEnded && signal !== 'SIGKILL')
          lost.push(`member ${index} ended by itself, code ${code}: ${err}`);
      });
    });
    await ready;
  }

  hear(said) {
    const words = said.approved ?? said.signed ?? said.certified;
    if (said.approved !== undefined) recordOf(words).approved.add(this.index);
    else if (said.signed !== undefined) {
      const height = words.split(':')[1];
      const before = this.heights.get(height) ?? words;
      if (before !== words) lost.push(`member ${this.index} signed ${before} and ${words}`);
      this.heights.set(height, words);
      recordOf(words).signed.add(this.index);
    } else if (said.certified !== undefined) {
      const record = recordOf(words);
      record.certified.add(this.index);
      if (record.verified) return;
      record.verified = true;
      const certificate = new Uint8Array(Buffer.from(said.certificate, 'hex'));
      const verdict = verifyCertificate({ registry, bytes: new TextEncoder().encode(words), certificate, kernel: bls });
      if (!verdict.ok) lost.push(`the certificate of ${words} is refused: ${verdict.code}`);
    } else this.onHeld?.(said);
  }

  tell(line) {
    this.child.stdin.write(`${line}\n`);
  }

  held() {
    return new Promise((resolve) => {
      this.onHeld = resolve;
      this.tell('held');
    });
  }

  /** Ends the member's process. Its approvals and signatures count again when its successor repeats them. */
  async kill() {
    const closed = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await closed;
    for (const { approved, signed, certified } of messages.values()) {
      if (certified.size > 0) continue;
      approved.delete(this.index);
      signed.delete(this.index);
    }
  }
}

const group = Array.from({ length: members }, (_, index) => new Member(index));
const endAll = () => {
  for (const member of group) {
    member.isEnded = true;
    member.child?.kill('SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true });
};
process.once('exit', endAll);
const stop = (why) => {
  process.stderr.write(`soak: ${why}\n`);
  process.exit(1);
};
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stop(`ended by ${signal}`));
// The parent process reads this output. If the parent has ended, this process ends too.
process.stdin.resume().once('end', () => stop('its standard input was closed'));

let height = 0;
const anyMember = () => group[randomInt(members)];
const ask = (member, words) => {
  recordOf(words);
  member.tell(`certify ${words}`);
};
const steadyOnes = Array.from({ length: steady }, (_, index) => index);
const isPlain = (words) => words.split(':').length === 2;
/** Returns whether each undisturbed member that approved, or at a forked height signed, has the certificate. */
const isEverywhere = (words) => {
  const { approved, signed, certified } = recordOf(words);
  const having = isPlain(words) ? approved : signed;
  return certified.size > 0 && steadyOnes.every((index) => certified.has(index) || !having.has(index));
};
/** Returns whether a message must get a certificate. At a forked height, possibly no message has a quorum. */
const isDue = (words) => {
  const { approved, signed } = recordOf(words);
  return (isPlain(words) ? approved : signed).size >= quorum;
};
const due = () => [...messages.keys()].filter(isDue);
const described = (words) => {
  const { approved, signed, certified } = recordOf(words);
  return `${words}, approved by ${[...approved]}, signed by ${[...signed]}, certified at ${[...certified]}`;
};

/** Returns the time until a condition holds, ms, without waits for a core; undefined beyond the maximum. */
async function until(holds, maxMs) {
  const begunMs = performance.now();
  const pids = group.map(({ child }) => child.pid);
  const before = pids.map(heldUpMs);
  for (;;) {
    const heldUp = Math.max(0, ...pids.map((pid, place) => heldUpMs(pid) - before[place]));
    const takenMs = performance.now() - begunMs - heldUp;
    if (holds()) return Math.max(1, takenMs);
    if (takenMs > maxMs) return undefined;
    await sleep(20);
  }
}

/** Returns the time that the group takes to certify a burst of messages, ms, or undefined if it takes 2 minutes. */
async function burst() {
  const words = Array.from({ length: burstSize }, () => `h:${++height}`);
  for (const [place, one] of words.entries()) ask(group[place % steady], one);
  return until(() => words.every(isEverywhere), 120_000);
}

async function torment() {
  const member = group[steady + randomInt(tormented)];
  const what = torments++ % 3;
  if (what === 0) {
    counts.killed++;
    await member.kill();
    await sleep(randomInt(500, 3000));
    await member.start();
  } else if (what === 1) {
    counts.stopped++;
    member.child.kill('SIGSTOP');
    await sleep(randomInt(500, 6000));
    member.child.kill('SIGCONT');
  } else {
    counts.stepped++;
    member.tell(`clock ${randomInt(-hourMs, hourMs)}`);
  }
}

let askedMs = performance.now();
function askNext() {
  height++;
  askedMs = performance.now();
  const [one, other] = [anyMember(), anyMember()];
  if (height % forkEvery === 0) {
    counts.forked++;
    // Some members get one message and the others another message, at the same time.
    const asked = new Set([one, other, ...group.filter((_, index) => index % 4 === 0)]);
    for (const [place, member] of [...asked].entries()) ask(member, `h:${height}:${place % 2 === 0 ? 'A' : 'B'}`);
  } else ask(one, `h:${height}`);
}

const say = (line) => process.stderr.write(`soak: ${line}\n`);
for (const member of group) await member.start();
await burst();
const usualMs = (await burst()) ?? 60_000;
say(`a burst of ${burstSize} took ${(usualMs / 1000).toFixed(1)} s`);

const beginMs = performance.now();
const loadMs = seconds * 1000 * 0.6;
let isTormenting = true;
const tormenting = (async () => {
  while (isTormenting) {
    await torment();
    await sleep(Math.max(1000, randomInt(loadMs / 20)));
  }
})();
const look = async () => {
  const held = await Promise.all(group.slice(0, steady).map((member) => member.held()));
  return held.map(({ held }, index) => ({ bytes: held, descriptors: descriptors(group[index].child.pid) }));
};
let half;
/** Returns the messages that at least one member approved and that have no certificate. */
const waiting = () =>
  [...messages].filter(
    ([words, { approved, certified }]) => isPlain(words) && approved.size > 0 && certified.size === 0,
  );
while (performance.now() - beginMs < loadMs && height < maxHeights) {
  if (half === undefined && performance.now() - beginMs > loadMs / 2) half = await look();
  if (waiting().length < outstanding || performance.now() - askedMs > maxEveryMs) askNext();
  // The requests are sent in groups, so that members approve the requested messages before these are counted.
  await sleep(height % 8 === 0 ? 100 : 5);
}
isTormenting = false;
await tormenting;
const fallMs = performance.now();
const backlog = due().filter((words) => !isEverywhere(words)).length;
say(`the load falls: ${JSON.stringify({ due: due().length, backlog, ...counts })}`);
const maxMs = slack * (Math.ceil(backlog / burstSize) + spareBursts) * Math.max(minBurstMs, usualMs);
const drainedMs = await until(() => due().every(isEverywhere), maxMs);
const missing = due().filter((words) => !isEverywhere(words));
if (drainedMs === undefined)
  lost.push(
    `${missing.length} of ${due().length} messages that a quorum approved have no certificate at every member that was left alone, ${((performance.now() - fallMs) / 1000).toFixed(0)} s after the load fell: ${missing.slice(0, 5).map(described).join('; ')}`,
  );
if ((await burst()) === undefined) lost.push('after the load, a burst was not certified');
for (const words of messages.keys()) {
  const [, number, variant] = words.split(':');
  if (variant === 'A' && recordOf(words).verified && messages.get(`h:${number}:B`)?.verified)
    lost.push(`height ${number} has two certificates`);
}
const end = await look();
const grown = end.map(({ bytes }, index) => (bytes - (half ?? end)[index].bytes) / 1e6);
const totals = await Promise.all(group.slice(0, steady).map((member) => member.held()));
const refused = {};
for (const { totals: of } of totals)
  for (const [code, times] of Object.entries(of.refused)) refused[code] = (refused[code] ?? 0) + times;
const result = {
  members,
  ...counts,
  due: due().length,
  grownMb: Math.round(10 * Math.max(...grown)) / 10,
  descriptorsLeft: Math.max(0, ...end.map((one, index) => one.descriptors - (half ?? end)[index].descriptors)),
  refused,
  lost,
};
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
