import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { compressed, type G1Group } from '@tutti/wasm-bls/kernel';
import { describe, expect, test } from 'vitest';
import { isWhole, strided } from '../../../tests/sampled.ts';
import { committeeKeys, flipped, groups, settingOf } from '../tests/fixtures.ts';
import { argue, type Witness } from './argue.ts';
import { proofBytes } from './layout.ts';
import { countsOf, tableInverses } from './multiplicities.ts';
import { prove, witnessOf } from './prove.ts';
import { Fr } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { type Statement, statementOf } from './statement.ts';
import { verifyProof } from './verify.ts';

const bls = await loadBls();
const bitsOf = (bytes: number): number[] => [...new Array(8 * bytes).keys()];
/**
 * Returns all bit positions, or a sample of them. The slower library, whose answers are compared elsewhere, gets fewer
 * bits.
 */
const { first, step } = strided(15);
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

    test("bits of the statement's key", () => {
      for (const bit of someBitsOf(48, group))
        expect(verifyProof(setting, { statement: { ...statement, key: flipped(statement.key, bit) }, proof })).toBe(
          false,
        );
    });

    test('bits of the bitfield, those beyond the keys included', () => {
      for (const bit of bitsOf(1))
        expect(verifyProof(setting, { statement: { ...statement, bits: flipped(statement.bits, bit) }, proof })).toBe(
          false,
        );
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

  describe('the bitfield is bound: it marks exactly the keys whose multiplicity is not 0', () => {
    const four = settingOf(group, 4);
    const values = Uint8Array.of(2, 0, 5, 0);
    const said = statementOf(four, values);
    const isProved = (bits: number, shown: Uint8Array): boolean => {
      const claimed = { ...said, bits: Uint8Array.of(bits) };
      return verifyProof(four, { statement: claimed, proof: shown });
    };

    test.each([...new Array(16).keys()])('bits %i next to an honest proof, old or made for them', (bits) => {
      const claimed = { ...said, bits: Uint8Array.of(bits) };
      expect(isProved(bits, prove(four, values, said))).toBe(bits === 0b0101);
      expect(isProved(bits, prove(four, values, claimed))).toBe(bits === 0b0101);
    });
  });

  describe('a prover that deviates from the protocol', () => {
    const four = settingOf(group, 4);
    const named = { bits: Uint8Array.of(0b1111) };
    /** Returns a statement whose key results from the given multiplicities modulo r. */
    const saying = (values: readonly bigint[]): Statement => ({
      ...named,
      key: compressed(group.combine(four.keys, values)),
    });
    const table: Witness = witnessOf(four, Uint8Array.of(1, 1, 1, 1));
    const inversesOf = (values: readonly bigint[]) => (x: bigint) =>
      Fr.invertBatch(values.map((value) => Fr.sub(x, value)));
    const accepts = (claimed: Statement, witness: Witness): boolean =>
      verifyProof(four, { statement: claimed, proof: argue(four, claimed, witness) });

    test('is accepted without a deviation', () => {
      expect(accepts(saying([1n, 1n, 1n, 1n]), table)).toBe(true);
      const values = [3n, 15n, 3n, 1n];
      const witness = {
        ...table,
        multiplicities: values,
        counts: countsOf(Uint8Array.from(values, Number)),
        inversesAt: inversesOf(values),
      };
      expect(accepts(saying(values), witness)).toBe(true);
      expect(accepts(saying(values), { ...witness, counts: table.counts })).toBe(false);
    });

    test.each([
      ['names one whom he did not count', 0n],
      ['counts one sixteen times', 16n],
      ['counts one away', Fr.ORDER - 1n],
      ['counts one by a fraction', Fr.inv(2n)],
    ])('%s: refused, with any counts and inverses', (_, odd) => {
      const values = [1n, 1n, 1n, odd];
      const claimed = saying(values);
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
        'a sum that comes out, of invalid inverses',
      ).toBe(false);
    });

    test('hides a member among the padding to a power of two: refused', () => {
      const claimed = { bits: Uint8Array.of(0b0111), key: compressed(group.combine(four.keys, [1n, 1n, 1n, 1n])) };
      expect(accepts(claimed, table)).toBe(false);
      const filled = { bits: Uint8Array.of(0b0111), key: compressed(group.combine(four.keys, [1n, 1n, 1n, 0n])) };
      expect(accepts(filled, witnessOf(four, Uint8Array.of(1, 1, 1, 0)))).toBe(true);
      expect(accepts(filled, { ...witnessOf(four, Uint8Array.of(1, 1, 1, 0)), keys: four.keys })).toBe(false);
    });
  });

  describe('the transcript binds all public values', () => {
    const keys = committeeKeys(4);
    const values = Uint8Array.of(3, 0, 1, 2);
    const four = settingOf(group, 4);
    const said = statementOf(four, values);
    const shown = prove(four, values, said);
    const elsewhere = (other: ProofSetting): boolean => verifyProof(other, { statement: said, proof: shown });

    test('a proof is accepted in its own context', () => expect(elsewhere(four)).toBe(true));

    test('the keys: one replaced, two exchanged, one with multiplicity 0 replaced', () => {
      const fifth = committeeKeys(5)[4]!;
      expect(elsewhere(settingOf(group, 4, undefined, [keys[0]!, keys[1]!, keys[2]!, fifth]))).toBe(false);
      expect(elsewhere(settingOf(group, 4, undefined, [keys[2]!, keys[1]!, keys[0]!, keys[3]!]))).toBe(false);
      const other = settingOf(group, 4, undefined, [keys[0]!, fifth, keys[2]!, keys[3]!]);
      expect(statementOf(other, values)).toEqual(said);
      expect(elsewhere(other)).toBe(false);
    });

    test('the number of keys, with all else equal', () => {
      const three = settingOf(group, 3);
      const values3 = Uint8Array.of(3, 9, 1);
      const said3 = statementOf(three, values3);
      const shown3 = prove(three, values3, said3);
      expect(statementOf(four, Uint8Array.of(...values3, 0))).toEqual(said3);
      expect(verifyProof(three, { statement: said3, proof: shown3 })).toBe(true);
      expect(verifyProof(four, { statement: said3, proof: shown3 })).toBe(false);
    });

    test("the generators' domain", () => {
      const other = settingOf(group, 4, 'another domain');
      expect(elsewhere(other)).toBe(false);
      expect(elsewhere({ ...other, generators: four.generators })).toBe(false);
      expect(elsewhere({ ...four, generators: other.generators })).toBe(false);
    });
  });

  describe('refuses bytes that are not a proof', () => {
    test('of another length', () => {
      for (const bytes of [new Uint8Array(), proof.subarray(1), Uint8Array.of(...proof, 0), proof.subarray(0, 64)])
        expect(verifyProof(setting, { statement, proof: bytes })).toBe(false);
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

    test('a key of another length, or outside the subgroup', () => {
      const outside = new Uint8Array(48);
      outside[0] = 0x80;
      outside[47] = 4;
      for (const key of [new Uint8Array(), statement.key.subarray(1), new Uint8Array(48), outside])
        expect(verifyProof(setting, { statement: { ...statement, key }, proof })).toBe(false);
    });

    test('bits of another length, none set, or set beyond the keys', () => {
      for (const bits of [new Uint8Array(), new Uint8Array(1), Uint8Array.of(5, 0), Uint8Array.of(0x0d)])
        expect(verifyProof(setting, { statement: { ...statement, bits }, proof })).toBe(false);
    });

    test('points exchanged', () => {
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
