/**
 * Runs one of three members, each on its own machine: `node three-members.mjs registry.json alice.secrets.json "block
 * 17"` on one machine, and the same command without a message on the others. docs/guides/three-machines.md describes
 * how to create the files. Without arguments, the example creates the files of three members and runs three processes.
 */
import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { memberKey, verifiedRegistry, verifyCertificate } from '@tutti/certificates';
import { joinGroup } from '@tutti/certificates/groups';
import { openSignedLog } from '@tutti/certificates/log';
import { identityStatement } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { networkKey } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { loadBls } from '@tutti/wasm-bls';

const kernel = await loadBls();
const [registryFile, secretsFile, message] = process.argv.slice(2);
if (registryFile === undefined) await runAllThree();
else await beOne();

async function beOne() {
  const registry = verifiedRegistry(readFileSync(registryFile, 'utf8'), kernel);
  const key = memberKey(readFileSync(secretsFile, 'utf8'));
  const signedLog = openSignedLog(`${secretsFile}.signed`);
  const approve = (bytes) => new TextDecoder().decode(bytes).startsWith('block ');
  const group = await joinGroup({ registry, key, transport: 'udp', signedLog, approve });
  const done = new Promise((resolve) => group.on('certificate', resolve));
  const bytes = new TextEncoder().encode(message ?? '');
  if (message !== undefined) await group.certify(bytes);
  const { certificate, signers } = await done;
  if (message !== undefined && !verifyCertificate({ registry, bytes, certificate, kernel }).ok) process.exit(1);
  console.log(`signed by ${signers} of ${registry.entries.length}`);
  // Other members may still need an answer.
  await new Promise((resolve) => setTimeout(resolve, 500));
  await group.close();
}

async function runAllThree() {
  const folder = mkdtempSync(join(tmpdir(), 'tutti-three-'));
  const members = await Promise.all(
    ['alice', 'bob', 'carol'].map(async (name) => {
      const secretKey = kernel.keyGen(crypto.getRandomValues(new Uint8Array(32)));
      const network = networkKey(nodeCrypto);
      const publicKey = kernel.publicKey(secretKey);
      const secrets = [
        { publicKey: toHex(publicKey), secretKey: toHex(secretKey), networkSecret: toHex(network.secret) },
      ];
      writeFileSync(join(folder, name), JSON.stringify({ version: 1, secrets }), { mode: 0o600 });
      return {
        publicKey: toHex(publicKey),
        proofOfPossession: toHex(kernel.provePossession(secretKey)),
        networkKey: toHex(network.publicKey),
        networkKeyProof: toHex(kernel.sign(secretKey, identityStatement(publicKey, network.publicKey))),
        address: { transport: 'udp', host: '127.0.0.1', port: await freePort() },
      };
    }),
  );
  const file = join(folder, 'registry.json');
  writeFileSync(file, JSON.stringify({ version: 2, scheme: 'bls', entries: members }));
  const run = (name, ...rest) =>
    promisify(execFile)(process.execPath, [import.meta.filename, file, join(folder, name), ...rest]);
  const printed = await Promise.all([run('alice', 'block 17'), run('bob'), run('carol')]);
  for (const { stdout } of printed) process.stdout.write(stdout);
  rmSync(folder, { recursive: true });
}

async function freePort() {
  const socket = createSocket('udp4');
  await new Promise((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise((resolve) => socket.close(resolve));
  return port;
}
