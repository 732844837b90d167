/**
 * `node scripts/gas.mjs`: prints the gas costs of examples/contract by variant, number of members and number of
 * signers.
 */
import { loadBls } from '@tutti/wasm-bls';
import { deployed, eipPoint } from '../tests/verifiers/evm.mjs';
import { grouped } from './markdown.mjs';

const sizes = [8, 32, 128];
const message = new TextEncoder().encode('block 17');
const cell = ({ execution, transaction }) => `${grouped(execution)} (${grouped(transaction)})`;
const secretOf = (index) => Uint8Array.from({ length: 32 }, (_, at) => (at === 31 ? index + 1 : 0));
const numbered = (count) => Array.from({ length: count }, (_, index) => index);

console.log(
  '| variant | members | registration per member | all sign | three quarters sign | half sign | too few sign |',
);
console.log('|---|---:|---:|---:|---:|---:|---:|');
for (const variant of ['min-pk', 'min-sig']) {
  const bls = await loadBls({ variant });
  const decoded = (read) => {
    if (!read.ok) throw new Error(read.code);
    return read.point;
  };
  for (const size of sizes) {
    const secrets = numbered(size).map(secretOf);
    const members = secrets.map((secret) => ({
      key: decoded(bls.decodePublicKey(bls.publicKey(secret))),
      proof: decoded(bls.decodeSignature(bls.provePossession(secret))),
      weight: 1n,
    }));
    const contract = await deployed(variant, { numerator: 1n, denominator: 2n });
    const { ok, gas } = await contract.register(members);
    if (!ok || !(await contract.seal())) throw new Error(`${variant}, ${size}: expected a registry, got a refusal`);
    const statement = await contract.statement(1n, message);
    const signatures = secrets.map((secret) => bls.sign(secret, statement));
    const verify = async (signers) => {
      const bits = new Uint8Array(size / 8);
      for (const member of signers) bits[member >> 3] |= 1 << (member & 7);
      const sum = bls.aggregateSignatures(signers.map((member) => signatures[member]));
      return contract.verify(1n, message, bits, eipPoint(decoded(bls.decodeSignature(sum))));
    };
    const cells = [];
    for (const signers of [size, (3 * size) / 4, size / 2, size / 2 - 1]) {
      const said = await verify(numbered(signers));
      if (said.accepted !== signers >= size / 2) throw new Error(`${variant}: ${signers} of ${size}: ${said.accepted}`);
      cells.push(cell(said));
    }
    console.log(`| ${[variant, size, grouped(Math.round(gas / size)), ...cells].join(' | ')} |`);
  }
}
