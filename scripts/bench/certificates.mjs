/**
 * `npm run bench -- certificates`: 1,000 different messages certified by 32 members in one process, on UDP, at a rate
 * (`--rate 10` a second); two members are restarted on the way and one lies. Writes docs/records/bench-certificates.md,
 * and exits with 1 where a message got no certificate, the last were later than the rest, or what is held grew by more
 * than the bounds below. `--messages N` and `--members N` for less; then it only prints.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinGroup, verifyCertificate } from '../../packages/transports/dist/certificates.js';
import { networkKey } from '../../packages/transports/dist/index.js';
import { nodeCrypto, openSignedLog, openUdp } from '../../packages/transports/dist/raw.js';
import { insecureSecretKey, insecureSeed, loadBls } from '../../packages/wasm-bls/dist/index.js';
import { initSync } from '../../packages/wasm-bls/kernel/tutti_bls.js';
import { cpuSeconds, held, machineLine, mib, options, table, writeRecord } from './frame.mjs';

const bytesPerMib = 2 ** 20;
/** By how much what is held may grow from the first look to the last, bytes: each is a few of the rounds that are open. */
const bounds = { heap: 8 * bytesPerMib, external: 4 * bytesPerMib, kernel: 2 * bytesPerMib };
const whole = { messages: 1000, members: 32 };

const { messages, members: size, rate } = options({ ...whole, rate: 10 });

const bls = await loadBls();
const folder = mkdtempSync(join(tmpdir(), 'tutti-bench-'));
const liar = size - 1;
const liarKernel = Object.setPrototypeOf({ sign: (key) => bls.sign(key, new TextEncoder().encode('a lie')) }, bls);
const transports = await Promise.all(Array.from({ length: size }, () => openUdp({ host: '127.0.0.1' })));
const keys = transports.map((_, index) => ({
  secretKey: insecureSecretKey(bls, 1, index),
  networkSecret: insecureSeed('network', 1, index),
}));
const registry = {
  entries: keys.map(({ secretKey, networkSecret }, index) => ({
    publicKey: bls.publicKey(secretKey),
    networkKey: networkKey(nodeCrypto, networkSecret).publicKey,
    endpoint: transports[index].local,
  })),
};
const enter = (index, transport) =>
  joinGroup({
    registry,
    key: keys[index],
    kernel: index === liar ? liarKernel : bls,
    transport,
    approve: () => true,
    heightOf: (bytes) => new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0),
    signedLog: openSignedLog(join(folder, `${index}.signed`)),
    mostKept: 64,
    giveUpMs: 3_600_000,
  });
const members = await Promise.all(transports.map((transport, index) => enter(index, transport)));

const certificates = Array(messages);
const waitedMs = new Float64Array(messages);
const looks = [];
const startedMs = performance.now();
const cpuBefore = cpuSeconds();
/** Who asks: never the liar, nor whoever is down. */
const askers = Array.from({ length: size - 1 }, (_, index) => index).filter((index) => index !== 3 && index !== 5);
const all = [];
for (let number = 0; number < messages; number++) {
  const dueMs = startedMs + (number * 1000) / rate;
  const pauseMs = dueMs - performance.now();
  if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  all.push(ask(number, dueMs));
  if (number === Math.floor(messages * 0.3)) void restart(3);
  if (number === Math.floor(messages * 0.6)) void restart(5);
  if ([0.1, 0.5, 1].some((share) => number + 1 === Math.ceil(messages * share))) {
    await Promise.all(all);
    looks.push({ number: number + 1, ...held(initSync().memory) });
  }
}
const seconds = (performance.now() - startedMs) / 1000;
const cpu = cpuSeconds() - cpuBefore;
const lies = members.map((one) => one.members()[liar].lies).reduce((sum, one) => sum + one, 0);
await Promise.all(members.map((one) => one.close()));
rmSync(folder, { recursive: true });
report();

async function ask(number, dueMs) {
  const bytes = new Uint8Array(40);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(number));
  certificates[number] = { bytes, ...(await members[askers[number % askers.length]].certify(bytes)) };
  waitedMs[number] = performance.now() - dueMs;
}

async function restart(index) {
  const { local } = transports[index];
  await members[index].close();
  members[index] = await enter(index, await openUdp(local));
}

function report() {
  const faults = [];
  const half = messages >> 1;
  const median = (from, to) => waitedMs.slice(from, to).sort()[(to - from) >> 1];
  for (const [number, { bytes, certificate }] of certificates.entries()) {
    const verdict = verifyCertificate({ registry, bytes, certificate, kernel: bls });
    if (!verdict.ok) faults.push(`message ${number}: ${verdict.code}`);
  }
  for (const [kind, most] of Object.entries(bounds))
    if (looks.at(-1)[kind] - looks[0][kind] > most) faults.push(`${kind}: grew by more than ${mib(most)}`);
  if (median(half, messages) > 2 * median(0, half) + 100) faults.push('the second half waited longer than the first');
  const quantile = (share) => waitedMs.slice().sort()[Math.min(messages - 1, Math.floor(messages * share))].toFixed(0);
  const lines = [
    '# Certificates side by side',
    '',
    `Printed by \`npm run bench -- certificates --rate ${rate}\`. ${size} members in one process on UDP, ${messages} different messages, ${rate} a second whether or not those before are done, each signed for a height of its own that is on disk before the signature leaves; entry ${liar} lies, and two others are closed and join again on the way, with nothing but their signed logs.`,
    '',
    machineLine(),
    '',
    `${messages} of ${messages} certified, each verified by the registry alone, in ${seconds.toFixed(0)} s: ${(messages / seconds).toFixed(1)} a second, ${((1000 * cpu) / messages).toFixed(0)} ms of CPU each for all ${size} members together. From due to certificate: half within ${quantile(0.5)} ms, 99 of 100 within ${quantile(0.99)} ms. The liar was found out ${lies} times; it is in no certificate.`,
    '',
    table(
      ['after', 'heap', 'beside it', 'kernel', 'whole process'],
      looks.map(({ number, ...look }) => [number, ...Object.values(look).map(mib)]),
    ),
  ];
  const isWhole = messages >= whole.messages && size >= whole.members && faults.length === 0;
  writeRecord('bench-certificates', `${lines.join('\n')}\n`, isWhole);
  for (const fault of faults) console.error(`certificates: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
