import { describe, expect, test } from 'vitest';
import { committeeKeys, flipped, groups, settingOf, someMultiplicities } from '../../test/proof-fixtures.ts';
import type { G1Group } from './group.ts';
import { proofBytes, prove } from './prove.ts';
import { Fr, scalarBytes } from './scalar.ts';
import type { ProofSetting } from './setting.ts';
import { type Statement, statementOf } from './statement.ts';
import { verifyProof } from './verify.ts';

const bitsOf = (bytes: number): number[] => [...new Array(8 * bytes).keys()];

/** All bits on the library that is quick, and some of all kinds on the other, which is held to the same answers elsewhere. */
const someBitsOf = (bytes: number, { name }: G1Group): number[] =>
  bitsOf(bytes).filter((bit) => name === 'blst-wasm' || bit % 7 === 0);

describe.each(groups)('on $name', (group) => {
  const KEYS = 2;
  const setting = settingOf(group, KEYS);
  const multiplicities = Uint8Array.of(9, 6);
  const statement = statementOf(setting, multiplicities);
  const proof = prove(setting, multiplicities, statement);

  describe('a statement of which one bit is another is not proved', () => {
    const pieces = Array.from({ length: proofBytes(KEYS) / 16 }, (_, i) => 16 * i);
    test.each(pieces)('bits of the proof from byte %i on', (from) => {
      expect(verifyProof(setting, { statement, proof })).toBe(true);
      for (const bit of someBitsOf(16, group))
        expect(verifyProof(setting, { statement, proof: flipped(proof, 8 * from + bit) }), `bit ${bit}`).toBe(false);
    });

    test.each(['key', 'commitment'] as const)("bits of the statement's %s", (part) => {
      for (const bit of someBitsOf(48, group)) {
        const other = { ...statement, [part]: flipped(statement[part], bit) };
        expect(verifyProof(setting, { statement: other, proof }), `bit ${bit}`).toBe(false);
      }
    });

    test.each([0, 1])('any bit of public key %i', (which) => {
      let valid = 0;
      for (const bit of bitsOf(48)) {
        const keys = committeeKeys(KEYS).map((key, i) => (i === which ? flipped(key, bit) : key));
        let other: ProofSetting;
        try {
          other = settingOf(group, KEYS, undefined, keys);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          continue;
        }
        valid++;
        expect(verifyProof(other, { statement, proof }), `bit ${bit}`).toBe(false);
      }
      expect(valid, 'the sign at least makes another key').toBeGreaterThan(0);
    });

    test.each([0, 1])('any bit of multiplicity %i, in the prover or in the statement', (which) => {
      for (const bit of bitsOf(1)) {
        const others = Uint8Array.from(multiplicities);
        others[which]! ^= 1 << bit;
        expect(verifyProof(setting, { statement, proof: prove(setting, others, statement) }), `bit ${bit}`).toBe(false);
        expect(verifyProof(setting, { statement: statementOf(setting, others), proof }), `bit ${bit}`).toBe(false);
      }
    });
  });

  describe('the transcript binds all that is public', () => {
    const keys = committeeKeys(4);
    const values = someMultiplicities(4);
    const four = settingOf(group, 4);
    const said = statementOf(four, values);
    const shown = prove(four, values, said);
    const elsewhere = (other: ProofSetting, otherStatement: Statement = said): boolean =>
      verifyProof(other, { statement: otherStatement, proof: shown });

    test('it is accepted where it was made', () => expect(elsewhere(four)).toBe(true));

    test('the keys: one replaced, two exchanged', () => {
      const replaced = [keys[0]!, keys[1]!, keys[2]!, committeeKeys(5)[4]!];
      expect(elsewhere(settingOf(group, 4, undefined, replaced))).toBe(false);
      const exchanged = [keys[1]!, keys[0]!, keys[2]!, keys[3]!];
      expect(elsewhere(settingOf(group, 4, undefined, exchanged))).toBe(false);
    });

    test('the keys: one replaced that is taken no times', () => {
      const without = Uint8Array.of(3, 0, 1, 2);
      const claimed = statementOf(four, without);
      const other = settingOf(group, 4, undefined, [keys[0]!, committeeKeys(5)[4]!, keys[2]!, keys[3]!]);
      expect(statementOf(other, without)).toEqual(claimed);
      expect(verifyProof(four, { statement: claimed, proof: prove(four, without, claimed) })).toBe(true);
      expect(verifyProof(other, { statement: claimed, proof: prove(four, without, claimed) })).toBe(false);
    });

    test('the aggregated key and the commitment', () => {
      const others = statementOf(four, someMultiplicities(4, 8));
      expect(elsewhere(four, { ...said, key: others.key })).toBe(false);
      expect(elsewhere(four, { ...said, commitment: others.commitment })).toBe(false);
      expect(elsewhere(four, { key: said.commitment, commitment: said.key })).toBe(false);
    });

    test('the number of keys, even where the rounds are as many', () => {
      const three = Uint8Array.of(3, 9, 1);
      const setting3 = settingOf(group, 3);
      const proof3 = prove(setting3, three);
      const statement3 = statementOf(setting3, three);
      expect(statementOf(four, Uint8Array.of(...three, 0))).toEqual(statement3);
      expect(verifyProof(setting3, { statement: statement3, proof: proof3 })).toBe(true);
      expect(verifyProof(four, { statement: statement3, proof: proof3 })).toBe(false);
    });

    test("the generators' domain", () => {
      const other = settingOf(group, 4, 'another domain');
      expect(elsewhere(other)).toBe(false);
      expect(elsewhere({ ...other, generators: four.generators })).toBe(false);
      expect(elsewhere({ ...four, generators: other.generators })).toBe(false);
    });
  });

  describe('bytes that are no proof are refused', () => {
    test('of another length', () => {
      for (const bytes of [new Uint8Array(), proof.subarray(1), Uint8Array.of(...proof, 0), proof.subarray(0, 32)])
        expect(verifyProof(setting, { statement, proof: bytes })).toBe(false);
    });

    test('the scalar written another way', () => {
      const scalar = proof.slice(-32).reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
      const second = scalar + Fr.ORDER;
      expect(second, 'two encodings fit 32 bytes').toBeLessThan(2n ** 256n);
      const bytes = Uint8Array.from(proof);
      for (let i = 0; i < 32; i++) bytes[bytes.length - 1 - i] = Number((second >> BigInt(8 * i)) & 255n);
      expect(verifyProof(setting, { statement, proof: bytes })).toBe(false);
    });

    test('a statement of another length, or of points outside the subgroup', () => {
      const outside = new Uint8Array(48);
      outside[0] = 0x80;
      outside[47] = 4;
      for (const key of [new Uint8Array(), statement.key.subarray(1), new Uint8Array(48), outside])
        expect(verifyProof(setting, { statement: { ...statement, key }, proof })).toBe(false);
    });

    test("the rounds' points exchanged", () => {
      const points = Array.from({ length: 4 }, (_, i) => proof.slice(48 * i, 48 * (i + 1)));
      for (const [a, b] of [
        [0, 1],
        [2, 3],
        [0, 2],
      ] as const) {
        const order = [...points];
        [order[a], order[b]] = [points[b]!, points[a]!];
        const bytes = Uint8Array.from([...order.flatMap((point) => [...point]), ...proof.subarray(-32)]);
        expect(verifyProof(setting, { statement, proof: bytes })).toBe(false);
      }
    });
  });

  test('a key that is no combination of the keys with the committed multiplicities has no proof, nor with half of it true', () => {
    const others = statementOf(setting, Uint8Array.of(9, 7));
    for (const wrong of [
      { key: others.key, commitment: statement.commitment },
      { key: statement.key, commitment: others.commitment },
      { key: statement.commitment, commitment: statement.key },
    ])
      for (const values of [multiplicities, Uint8Array.of(9, 7)])
        expect(verifyProof(setting, { statement: wrong, proof: prove(setting, values, wrong) })).toBe(false);
  });

  test('what is not shown: that a multiplicity is small, or a bitfield the support', () => {
    const minusOne = Fr.ORDER - 1n;
    const one = settingOf(group, 1);
    const negative = {
      key: flipped(committeeKeys(1)[0]!, 5),
      commitment: flipped(statementOf(one, Uint8Array.of(1)).commitment, 5),
    };
    expect(verifyProof(one, { statement: negative, proof: scalarBytes(minusOne) })).toBe(true);
  });
});
