import { compressed, infinities, joinBytes, slicePoints, uint32Bytes } from '@tutti/wasm-bls/kernel';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, ownOutcomes } from '../../../tests/digests.ts';
import { committeeKeys, groups, settingOf } from '../tests/fixtures.ts';
import { verifyBatch } from './batch.ts';
import { halvingOf, pointOf, weightsOf } from './challenges.ts';
import { hashGenerators } from './generators.ts';
import { countsBytes, joinProof, proofBytes, proofRounds, readCounts, splitProof } from './layout.ts';
import { countsOf, tableInverses } from './multiplicities.ts';
import { prove, witnessOf } from './prove.ts';
import { readProof } from './readProof.ts';
import { Fr, innerProduct, powers, readScalar, scalarBytes } from './scalar.ts';
import { proofSetting } from './setting.ts';
import { openTranscript, requireMultiplicities, statementOf, supportOf } from './statement.ts';
import { Transcript } from './transcript.ts';
import { verifyProof } from './verify.ts';

const committee = 12;

it.each(groups)('proofs on $name are what they were, byte by byte, and judged as they were', (group) => {
  const setting = settingOf(group, committee);
  const proved = drawn(4, (draw) => {
    const multiplicities = Uint8Array.from({ length: committee }, () => draw.one([0, 0, 1, draw.integer(0, 15)]));
    multiplicities[draw.integer(0, committee - 1)] = draw.integer(1, 15);
    const statement = statementOf(setting, multiplicities);
    const proof = prove(setting, multiplicities);
    const witness = witnessOf(setting, multiplicities);
    const made = [statement, proof, witness, witness.inversesAt(BigInt(draw.integer(20, 9999)))];
    return { one: { statement, proof }, made, claim: readProof(setting, { statement, proof }) };
  });
  const spoilt = drawn(40, (draw) => {
    const { statement, proof } = draw.one(proved).one;
    const flip = (bytes: Uint8Array): Uint8Array => {
      const copy = bytes.slice(0, draw.chance(0.9) ? bytes.length : draw.integer(0, bytes.length));
      if (copy.length > 0) copy[draw.integer(0, copy.length - 1)]! ^= 1 << draw.integer(0, 7);
      return copy;
    };
    const { key, bits } = statement;
    return draw.one([
      { statement, proof: flip(proof) },
      { statement: { key: flip(key), bits }, proof },
      { statement: { key, bits: flip(bits) }, proof },
      draw.one(proved).one,
    ]);
  });
  const verdicts = spoilt.slice(0, 5).map((one) => verifyProof(setting, one));
  const batches = [spoilt.slice(0, 3), proved.map(({ one }) => one), []].map((some) => verifyBatch(setting, some));
  const claims = spoilt.map((one) => readProof(setting, one));
  expect([proved, verdicts, batches, claims].map(digestOf)).toMatchSnapshot();
});

it.each(groups)('sums on $name are what they were, whatever the scalars', (group) => {
  const points = joinBytes(committeeKeys(committee).map((key) => group.decode(key)!));
  const pins = drawn(24, (draw) => {
    const from = draw.integer(0, 6);
    const some = slicePoints(points, from, from + draw.integer(1, committee - from));
    const scalars = Array.from({ length: some.length / 96 }, () =>
      draw.one([0n, 1n, BigInt(draw.integer(0, 70_000)), 2n ** BigInt(draw.integer(1, 254)), Fr.ORDER - 1n]),
    );
    const even = slicePoints(joinBytes([some, infinities(1), some]), 0, 2 * (some.length >> 7));
    return [group.combine(some, scalars), outcomeOf(() => group.fold(even, scalars[0]!))];
  });
  expect([digestOf(pins), compressed(infinities(1))]).toMatchSnapshot();
  const message = Uint8Array.of(1);
  const refused = [undefined, 'd', new Uint8Array(), new Uint8Array(256)].map((domain) =>
    outcomeOf(() => group.hash(message, domain as Uint8Array)),
  );
  expect(refused).toMatchSnapshot();
});

it('what a transcript asks is what it was', () => {
  const pins = drawn(8, (draw) => {
    const transcript = new Transcript();
    const asked = [
      pointOf(transcript, draw.bytes(3), draw.bytes(2)),
      weightsOf(transcript, draw.bytes(4)),
      halvingOf(transcript, draw.bytes(5), draw.bytes(5)),
    ];
    transcript.append('pinned', draw.bytes(9));
    return [asked, transcript.digest('pinned'), uint32Bytes(draw.integer(0, 2 ** 32 - 1))];
  });
  const opened = openTranscript(settingOf(groups[0]!, 5), { key: Uint8Array.of(1), bits: Uint8Array.of(2) });
  expect([digestOf(pins), digestOf(opened.digest('pinned'))]).toMatchSnapshot();
});

it('parts of a proof, its scalars and its counts are laid out as they were', () => {
  const sizes = [1, 2, 3, 4, 5, 8, 9, 255, 256, 257, 2 ** 20].map((places) => [
    proofRounds(places),
    proofBytes(places),
  ]);
  const pins = drawn(40, (draw) => {
    const places = draw.integer(1, 40);
    const proof = draw.bytes(proofBytes(places) + draw.one([0, 0, 0, 1, -1]));
    const parts = splitProof(proof, places);
    const multiplicities = Uint8Array.from({ length: places }, () => draw.integer(1, 15));
    const counts = countsOf(multiplicities);
    const scalar = Fr.create(draw.bytes(32).reduce((sum, byte) => 256n * sum + BigInt(byte), 0n));
    const row = powers(scalar, draw.integer(0, 5));
    return [
      [parts, parts && joinProof(parts), counts, countsBytes(counts), readCounts(countsBytes(counts))],
      [tableInverses(scalar), scalarBytes(scalar), readScalar(scalarBytes(scalar)), readScalar(draw.bytes(32))],
      [row, innerProduct(row, row.toReversed())],
    ];
  });
  const ends = [Fr.ORDER - 1n, Fr.ORDER].map((scalar) => readScalar(scalarBytes(scalar)));
  expect([sizes, digestOf(pins), ends]).toMatchSnapshot();
});

it('what is no setting, no statement and no multiplicity is refused with the words that it was', () => {
  const [group] = groups;
  const setting = settingOf(group!, 3);
  const generators = hashGenerators(group!, 3);
  const keys = committeeKeys(3);
  const values = [undefined, null, 7, 'x', {}, [], new Uint8Array(2), new Uint8Array(3), new Uint8Array(4).fill(1)];
  const words = values.flatMap((value) => {
    const one = value as never;
    return [
      () => void proofSetting(one, keys, generators),
      () => void proofSetting(group!, one, generators),
      () => void proofSetting(group!, keys, one),
      () => void proofSetting(group!, [keys[0]!, one], generators),
      () => void hashGenerators(one, 3),
      () => void hashGenerators(group!, one),
      () => void hashGenerators(group!, 1, one),
      () => requireMultiplicities(setting, one),
      () => void prove(one, Uint8Array.of(1, 1, 1)),
      () => void prove(setting, one),
      () => void statementOf(setting, one),
      () => supportOf(setting, one),
      () => verifyProof(setting, one),
      () => verifyProof(setting, { statement: one, proof: keys[0]! }),
      () => verifyProof(setting, { statement: { key: one, bits: Uint8Array.of(1) }, proof: keys[0]! }),
      () => verifyProof(setting, { statement: { key: keys[0]!, bits: one }, proof: keys[0]! }),
      () => verifyProof(setting, { statement: { key: keys[0]!, bits: Uint8Array.of(1) }, proof: one }),
      () => verifyBatch(setting, one),
    ].map(outcomeOf);
  });
  const multiplicities = [Uint8Array.of(0, 0, 0), Uint8Array.of(1, 15, 0), Uint8Array.of(1, 16, 0)].map((some) =>
    outcomeOf(() => statementOf(setting, some)),
  );
  expect([ownOutcomes(words), multiplicities].map(digestOf)).toMatchSnapshot();
});

it('proofs of a batch that cannot be read, and those that do not hold, are told in the order of the batch', () => {
  const setting = settingOf(groups[0]!, 3);
  const [one, other] = [Uint8Array.of(1, 0, 2), Uint8Array.of(3, 1, 0)].map((multiplicities) => ({
    statement: statementOf(setting, multiplicities),
    proof: prove(setting, multiplicities),
  }));
  const wrong = { statement: other!.statement, proof: one!.proof };
  const cut = { statement: one!.statement, proof: one!.proof.subarray(1) };
  expect(verifyBatch(setting, [wrong, one!, cut, other!]).invalid).toEqual([0, 2]);
});
