/** Tests of what `examples/contract/Certificates.sol` must never do, for any input, in ethereumjs's EVM. */
import { Hardfork } from '@ethereumjs/common';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { bitsOf, groupOrder as order, pointOf } from '../packages/wasm-bls/test/fixtures.ts';
import { isWhole, sampled } from './sampled.ts';
import { deployed, eipPoint } from './verifiers/evm.mjs';

type Variant = 'min-pk' | 'min-sig';
const variants = ['min-pk', 'min-sig'] as const;
const kernels = { 'min-pk': await loadBls(), 'min-sig': await loadBls({ variant: 'min-sig' }) };
const half = { numerator: 1n, denominator: 2n };
const message = new TextEncoder().encode('block 17');
const secretOf = (key: bigint): Uint8Array => Buffer.from(key.toString(16).padStart(64, '0'), 'hex');
const keys = (...some: bigint[]): Uint8Array[] => some.map(secretOf);
const eight = keys(1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n);

const membersOf = (variant: Variant, secrets: readonly Uint8Array[]) =>
  secrets.map((secret) => {
    const bls = kernels[variant];
    return {
      key: pointOf(bls.decodePublicKey(bls.publicKey(secret))),
      proof: pointOf(bls.decodeSignature(bls.provePossession(secret))),
      weight: 1n,
    };
  });

const contractOf = (variant: Variant, share = half, hardfork?: Hardfork) => deployed(variant, share, hardfork, false);

/** Creates a contract with members, and a certificate of some of these members. */
async function certified(variant: Variant, secrets: readonly Uint8Array[], signers: readonly number[]) {
  const bls = kernels[variant];
  const contract = await contractOf(variant);
  expect((await contract.register(membersOf(variant, secrets))).ok && (await contract.seal())).toBe(true);
  const statement = await contract.statement(1n, message);
  const sum = bls.aggregateSignatures(signers.map((one) => bls.sign(secrets[one]!, statement)));
  const signature = eipPoint(pointOf(bls.decodeSignature(sum)));
  const verify = (gas?: number, given = signature) =>
    contract.verify(1n, message, bitsOf(signers, secrets.length), given, gas === undefined ? undefined : BigInt(gas));
  return { verify, signature };
}

const signed: [string, number[]][] = [
  ['all signers', [0, 1, 2, 3, 4, 5, 6, 7]],
  ['few signers, whose keys are added', [1, 2, 4, 7]],
  ['some absent, whose keys are subtracted', [0, 2, 3, 5, 6]],
];
/** Outside CI, the test tries only one in this number of gas values. */
const sparse = isWhole ? 1 : 100;

describe.each(sampled(variants, 1))('a contract of %s', (variant) => {
  it.runIf(isWhole).each(sampled(signed, 1))(
    'the contract accepts a valid certificate, or reverts when it runs out of gas: %s',
    async (_, signers) => {
      const { verify } = await certified(variant, eight, signers);
      const { said, execution } = await verify();
      expect(said).toBe('accepted');
      const saidWith = async (gas: number) => (await verify(gas)).said;
      // Searches for the minimum sufficient amount of gas, and checks every answer during the search.
      let [tooLittle, enough] = [0, execution + 10_000];
      expect(await saidWith(enough)).toBe('accepted');
      while (enough - tooLittle > 1) {
        const between = (tooLittle + enough) >> 1;
        const answer = await saidWith(between);
        expect(['accepted', 'reverted'], `${between} gas`).toContain(answer);
        if (answer === 'accepted') enough = between;
        else tooLittle = between;
      }
      for (let gas = 1; gas < enough; gas += 701 * sparse) expect(await saidWith(gas), `${gas} gas`).toBe('reverted');
      for (let gas = enough - Math.ceil(40 / sparse); gas < enough; gas++)
        expect(await saidWith(gas), `${gas} gas`).toBe('reverted');
      for (let more = 0; more < 4_000; more += 397 * sparse)
        expect(await saidWith(enough + more), `${enough + more} gas`).toBe('accepted');
    },
  );

  it('refuses invalid points as invalid, or reverts for lack of gas', async () => {
    const { verify, signature } = await certified(variant, eight, [0, 1, 2, 3, 4, 5, 6, 7]);
    const offCurve = signature.slice();
    offCurve[offCurve.length - 1]! ^= 1;
    const { said, execution } = await verify(undefined, offCurve);
    expect(said).toBe('refused');
    for (let gas = 1; gas < execution + 3_000; gas += 2_003 * sparse)
      expect((await verify(gas, offCurve)).said, `${gas} gas`).toMatch(/^(refused|reverted)$/);
  });

  it('refuses a duplicate key or the negative of a key, in one batch or in two', async () => {
    const refusedAfter = async (first: readonly Uint8Array[], then: readonly Uint8Array[]) => {
      const contract = await contractOf(variant);
      if (first.length > 0) expect((await contract.register(membersOf(variant, first))).ok).toBe(true);
      return !(await contract.register(membersOf(variant, then))).ok;
    };
    for (const other of keys(5n, order - 5n)) {
      expect(await refusedAfter([], [secretOf(5n), other])).toBe(true);
      expect(await refusedAfter(keys(1n, 5n), [other])).toBe(true);
    }
    expect(await refusedAfter(keys(5n), keys(6n))).toBe(false);
  });

  it('refuses an empty signature for keys that add up to the identity', async () => {
    const { verify, signature } = await certified(variant, keys(5n, 7n, order - 12n, 1n), [0, 1, 3]);
    expect((await verify()).said).toBe('accepted');
    const contract = await contractOf(variant);
    await contract.register(membersOf(variant, keys(5n, 7n, order - 12n)));
    await contract.seal();
    const empty = new Uint8Array(signature.length);
    expect((await contract.verify(1n, message, Uint8Array.of(0b111), empty)).said).toBe('refused');
  });

  it('refuses members if the precompiles are missing', async () => {
    const contract = await contractOf(variant, half, Hardfork.Cancun);
    expect((await contract.register(membersOf(variant, eight))).ok).toBe(false);
  });
});

describe('the constructor', () => {
  const made = (numerator: bigint, denominator: bigint) =>
    contractOf('min-pk', { numerator, denominator }).then(
      () => 'made',
      (error: Error) => error.message,
    );

  it('the constructor accepts a threshold greater than 0 and at most 1 if its products with the weights fit into 256 bits', async () => {
    const most = 2n ** 128n - 1n;
    for (const [numerator, denominator] of [
      [1n, 1n],
      [67n, 100n],
      [1n, most],
      [most, most],
    ] as const)
      expect(await made(numerator, denominator)).toBe('made');
    for (const [numerator, denominator] of [
      [0n, 1n],
      [0n, 0n],
      [1n, 0n],
      [101n, 100n],
      [1n, most + 1n],
      [most + 1n, most + 1n],
      [2n ** 256n - 1n, 2n ** 256n - 1n],
    ] as const)
      expect(await made(numerator, denominator)).toBe('Certificates: the constructor refused its share');
  });
});
