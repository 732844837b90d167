/** A member of soak.mjs's group. Reads `certify WORDS`, `clock MS`, `held` and `end`, and writes JSON events. */
import { readFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const { registryFile, index, logFile, giveUpMs } = JSON.parse(process.argv[2]);
const realNow = Date.now;
let clockMs = 0;
Date.now = () => realNow() + clockMs;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

const { joinGroup } = await import('@tutti/certificates/groups');
const { openSignedLog } = await import('@tutti/certificates/log');
const { insecureSecretKey, insecureSeed, loadBls } = await import('@tutti/wasm-bls');

const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const textOf = (bytes) => new TextDecoder().decode(bytes);
const bls = await loadBls();
const registry = { entries: JSON.parse(readFileSync(registryFile, 'utf8')).map(entryOf) };

function entryOf({ publicKey, networkKey, port }) {
  const bytes = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));
  return { publicKey: bytes(publicKey), networkKey: bytes(networkKey), endpoint: { host: '127.0.0.1', port } };
}

const sign = (secretKey, message) => {
  say({ signed: textOf(message) });
  return bls.sign(secretKey, message);
};
const group = await joinGroup({
  registry,
  key: { secretKey: insecureSecretKey(bls, 1, index), networkSecret: insecureSeed('network', 1, index) },
  kernel: Object.setPrototypeOf({ sign }, bls),
  transport: 'udp',
  giveUpMs,
  signedLog: openSignedLog(logFile),
  heightOf: (bytes) => BigInt(textOf(bytes).split(':')[1]),
  approve(bytes) {
    say({ approved: textOf(bytes) });
    return true;
  },
});
group.on('certificate', ({ bytes, certificate, signers }) =>
  say({ certified: textOf(bytes), signers, certificate: Buffer.from(certificate).toString('hex') }),
);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [command, argument] = line.split(' ');
    if (command === 'certify') {
      say({ approved: argument });
      // The load of a fork requests messages that cannot be certified.
      group.certify(new TextEncoder().encode(argument)).catch(() => {});
    } else if (command === 'clock') clockMs = Number(argument);
    else if (command === 'held') {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      say({ held: heapUsed + external, totals: group.totals() });
    } else if (command === 'end') process.exit(0);
  })
  .on('close', () => process.exit(0));
say({ ready: index });
