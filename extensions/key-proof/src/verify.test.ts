import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { compressed, type G1Group } from '@tutti/wasm-bls/kernel';
import { describe, expect, test } from 'vitest';
import { isWhole, strided } from '../../../tests/sampled.ts';
import { committeeKeys, flipped, groups, settingOf } from '../tests/fixtures.ts';
import { argue, type Witness } from './argue.ts';
import { countsOf, proofBytes, tableInverses } from './layout.ts';
import { prove, witnessOf } from './prove.ts';
import { Fr } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { type Statement, statementOf } from './statement.ts';
import { verifyProof } from './verify.ts';

const bls = await loadBls();
const bitsOf = (bytes: number): number[] => [...new Array(8 * bytes).keys()];
const { first, step } = strided(15);
/**
 * Returns a sample of the bit positions. The sample is smaller for the slower library; in CI, it contains all positions
 * for the faster library.
 */
const someBitsOf = (bytes: number, { name }: G1Group): number[] =>
  bitsOf(bytes).filter((bit) => (name === 'blst-wasm' ? (bit + first) % step === 0 : bit % 61 === 0));

describe.each(isWhole ? groups : groups.slice(0, 1))('on $name', (group) => {
  const keyCount = 3;
  const setting = settingOf(group, keyCount);
  const multiplicities = Uint8Array.of(9, 0, 6);
  const statement = statementOf(setting, multiplicities);
  const proof = prove(setting, multiplicities, statement);

  describe('a statement with one changed bit has no proof', () => {
    const length = proofBytes(2);
    const pieces = Array.from({ length: Math.ceil(length / 16) }, (_, i) => 16 * i);
    test.each(pieces)('bits of the proof from byte %i on', (from) => {
      expect(verifyProof(setting, { statement, proof })).toBe(true);
      for (const bit of someBitsOf(Math.min(16, length - from), group))
        expect(verifyProof(setting, { statement, proof: flipped(proof, 8 * from + bit) }), `bit ${bit}`).toBe(false);
    });

    test.each([
      ["the statement's key", 'key', someBitsOf(48, group)],
      ['the bitfield, those beyond the keys included', 'bits', bitsOf(1)],
    ] as const)('bits of %s', (_, field, bits) => {
      for (const bit of bits) {
        const changed = { ...statement, [field]: flipped(statement[field], bit) };
        expect(verifyProof(setting, { statement: changed, proof }), `bit ${bit}`).toBe(false);
      }
    });

    test.each([0, 1, 2])('any bit of public key %i, also of a key with multiplicity 0', (which) => {
      let valid = 0;
      for (const bit of isWhole ? bitsOf(48) : bitsOf(48).filter((bit) => bit % 7 === 5)) {
        const keys = committeeKeys(keyCount).map((key, i) => (i === which ? flipped(key, bit) : key));
        let other: ProofSetting;
        try {
          other = settingOf(group, keyCount, undefined, keys);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          continue;
        }
        valid++;
        expect(verifyProof(other, { statement, proof }), `bit ${bit}`).toBe(false);
      }
      expect(valid, 'the sign at least makes another key').toBeGreaterThan(0);
    });

    test.each([0, 2])('any bit of multiplicity %i, in the prover or in the statement', (which) => {
      for (let bit = 0; bit < 4; bit++) {
        const others = Uint8Array.from(multiplicities);
        others[which]! ^= 1 << bit;
        expect(verifyProof(setting, { statement, proof: prove(setting, others, statement) }), `bit ${bit}`).toBe(false);
        expect(verifyProof(setting, { statement: statementOf(setting, others), proof }), `bit ${bit}`).toBe(false);
      }
    });
  });

  test('the bitfield marks exactly the keys whose multiplicity is not 0, in an old proof and in one for the claim', () => {
    const four = settingOf(group, 4);
    const values = Uint8Array.of(2, 0, 5, 0);
    const honest = statementOf(four, values);
    for (let bits = 0; bits < 16; bits++) {
      const claimed = { ...honest, bits: Uint8Array.of(bits) };
      for (const proof of [prove(four, values, honest), prove(four, values, claimed)])
        expect(verifyProof(four, { statement: claimed, proof }), `bits ${bits}`).toBe(bits === 0b0101);
    }
  });

  describe('a prover that deviates from the protocol', () => {
    const four = settingOf(group, 4);
    /** Returns a statement whose key results from the given multiplicities modulo r. */
    const claimOf = (values: readonly bigint[], bits = 0b1111): Statement => ({
      bits: Uint8Array.of(bits),
      key: compressed(group.combine(four.keys, values)),
    });
    const table: Witness = witnessOf(four, Uint8Array.of(1, 1, 1, 1));
    const inversesOf = (values: readonly bigint[]) => (x: bigint) =>
      Fr.invertBatch(values.map((value) => Fr.sub(x, value)));
    const accepts = (claimed: Statement, witness: Witness): boolean =>
      verifyProof(four, { statement: claimed, proof: argue(four, claimed, witness) });

    test('is accepted without a deviation', () => {
      expect(accepts(claimOf([1n, 1n, 1n, 1n]), table)).toBe(true);
      const values = [3n, 15n, 3n, 1n];
      const witness = {
        ...table,
        multiplicities: values,
        counts: countsOf(Uint8Array.from(values, Number)),
        inversesAt: inversesOf(values),
      };
      expect(accepts(claimOf(values), witness)).toBe(true);
      expect(accepts(claimOf(values), { ...witness, counts: table.counts })).toBe(false);
    });

    test.each([
      ['0', 0n],
      ['16', 16n],
      ['-1', Fr.ORDER - 1n],
      ['1/2', Fr.inv(2n)],
    ])('commits to the multiplicity %s: refused, with any counts and inverses', (_, odd) => {
      const values = [1n, 1n, 1n, odd];
      const claimed = claimOf(values);
      const witness = { ...table, multiplicities: values };
      for (const counts of [
        table.counts,
        countsOf(Uint8Array.of(1, 1, 1)),
        countsOf(Uint8Array.of(1, 1, 1, 15)),
        table.counts.map(() => 0),
        table.counts.map(() => 2 ** 32 - 1),
      ])
        expect(accepts(claimed, { ...witness, counts, inversesAt: inversesOf(values) })).toBe(false);
      expect(accepts(claimed, witness), 'the inverses of true multiplicities').toBe(false);
      expect(
        accepts(claimed, {
          ...witness,
          inversesAt: (x) => {
            const honest = inversesOf(values)(x);
            const wanted = Fr.mul(4n, tableInverses(x)[0]!);
            const first = honest.slice(1).reduce((rest, inverse) => Fr.sub(rest, inverse), wanted);
            return [first, ...honest.slice(1)];
          },
        }),
        'a correct sum of invalid inverses',
      ).toBe(false);
    });

    test('hides a member among the padding to a power of two: refused', () => {
      expect(accepts(claimOf([1n, 1n, 1n, 1n], 0b0111), table)).toBe(false);
      const [padded, witness] = [claimOf([1n, 1n, 1n, 0n], 0b0111), witnessOf(four, Uint8Array.of(1, 1, 1, 0))];
      expect(accepts(padded, witness)).toBe(true);
      expect(accepts(padded, { ...witness, keys: four.keys })).toBe(false);
    });
  });

  describe('the transcript binds all public values', () => {
    const values = Uint8Array.of(3, 0, 1, 2);
    const four = settingOf(group, 4);
    const honest = statementOf(four, values);
    const proved = { statement: honest, proof: prove(four, values, honest) };

    test('the keys: one replaced, two exchanged, one with multiplicity 0 replaced', () => {
      expect(verifyProof(four, proved)).toBe(true);
      const [a, b, c, d, fifth] = committeeKeys(5) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
      const other = settingOf(group, 4, undefined, [a, fifth, c, d]);
      expect(statementOf(other, values)).toEqual(honest);
      expect(verifyProof(other, proved)).toBe(false);
      for (const keys of [
        [a, b, c, fifth],
        [c, b, a, d],
      ])
        expect(verifyProof(settingOf(group, 4, undefined, keys), proved)).toBe(false);
    });

    test('the number of keys, with all else equal', () => {
      const three = settingOf(group, 3);
      const values = Uint8Array.of(3, 9, 1);
      const statement = statementOf(three, values);
      const proof = prove(three, values, statement);
      expect(statementOf(four, Uint8Array.of(...values, 0))).toEqual(statement);
      expect(verifyProof(three, { statement, proof })).toBe(true);
      expect(verifyProof(four, { statement, proof })).toBe(false);
    });

    test("the generators' domain", () => {
      const other = settingOf(group, 4, 'another domain');
      for (const setting of [
        other,
        { ...other, generators: four.generators },
        { ...four, generators: other.generators },
      ])
        expect(verifyProof(setting, proved)).toBe(false);
    });
  });

  describe('refuses', () => {
    const outside = new Uint8Array(48);
    outside[0] = 0x80;
    outside[47] = 4;
    test.each<[string, keyof Statement | 'proof', Uint8Array[]]>([
      [
        'a proof of another length',
        'proof',
        [new Uint8Array(), proof.subarray(1), Uint8Array.of(...proof, 0), proof.subarray(0, 64)],
      ],
      [
        'a key of another length, or outside the subgroup',
        'key',
        [new Uint8Array(), statement.key.subarray(1), new Uint8Array(48), outside],
      ],
      [
        'bits of another length, none set, or set beyond the keys',
        'bits',
        [new Uint8Array(), new Uint8Array(1), Uint8Array.of(5, 0), Uint8Array.of(0x0d)],
      ],
    ])('%s', (_, field, wrong) => {
      for (const bytes of wrong) {
        const proved =
          field === 'proof' ? { statement, proof: bytes } : { statement: { ...statement, [field]: bytes }, proof };
        expect(verifyProof(setting, proved)).toBe(false);
      }
    });

    test('a scalar in another encoding', () => {
      for (const end of [proof.length, proof.length - 32]) {
        const scalar = proof.slice(end - 32, end).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
        const second = scalar + Fr.ORDER;
        expect(second, 'two encodings fit 32 bytes').toBeLessThan(2n ** 256n);
        const bytes = Uint8Array.from(proof);
        for (let i = 0; i < 32; i++) bytes[end - 1 - i] = Number((second >> BigInt(8 * i)) & 255n);
        expect(verifyProof(setting, { statement, proof: bytes })).toBe(false);
      }
    });

    test('exchanged points', () => {
      const at = [0, 48 + 60, 48 + 60 + 48, 48 + 60 + 96];
      for (const [a, b] of [
        [0, 1],
        [0, 2],
        [1, 2],
        [2, 3],
      ] as const) {
        const bytes = Uint8Array.from(proof);
        bytes.set(proof.subarray(at[a]!, at[a]! + 48), at[b]!);
        bytes.set(proof.subarray(at[b]!, at[b]! + 48), at[a]!);
        expect(verifyProof(setting, { statement, proof: bytes })).toBe(false);
      }
    });
  });
});

test('64 claimed votes of one signature: the key verifies, and the claim has no proof of the signer', () => {
  const [group] = groups as [G1Group];
  const setting = settingOf(group, 64);
  const message = new Uint8Array(32).fill(7);
  const alone = Uint8Array.from({ length: 64 }, (_, i) => (i === 0 ? 1 : 0));
  const own = statementOf(setting, alone);
  const signature = bls.sign(insecureSecretKey(bls, 1, 0), message);
  expect(bls.verify(own.key, message, signature)).toBe(true);
  const proof = prove(setting, alone, own);
  expect(verifyProof(setting, { statement: own, proof })).toBe(true);

  const everyone: Statement = { key: own.key, bits: new Uint8Array(8).fill(0xff) };
  expect(verifyProof(setting, { statement: everyone, proof })).toBe(false);
  expect(verifyProof(setting, { statement: everyone, proof: prove(setting, alone, everyone) })).toBe(false);
  const all = new Uint8Array(64).fill(1);
  expect(verifyProof(setting, { statement: everyone, proof: prove(setting, all, everyone) })).toBe(false);
});
