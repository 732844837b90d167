/**
 * A Horn collector with BLS signatures. The collector merges overlapping aggregates, and then proves the key of the sum
 * instead of listing each validator's multiplicity.
 */
import { MultiplicityScheme } from '@tutti/core/horn';
import { hashGenerators, loadG1, proofSetting, prove, statementOf, verifyProof } from '@tutti/key-proof';
import { loadBls } from '@tutti/wasm-bls';

const [bls, group] = await Promise.all([loadBls(), loadG1()]);
const [vote, committee, subcommittee] = [new TextEncoder().encode('the vote of this slot'), 256, 64];
const secrets = Array.from({ length: committee }, () => bls.keyGen(crypto.getRandomValues(new Uint8Array(32))));
const publicKeys = secrets.map((secret) => bls.publicKey(secret));

/** Keys stay compressed. One flag of the first byte is the sign; another flag marks the point at infinity. */
const isInfinity = (key) => (key[0] & 0x40) !== 0;
const scheme = new MultiplicityScheme(publicKeys, subcommittee, {
  addKeys: (a, b) => (isInfinity(a) ? b : isInfinity(b) ? a : bls.aggregatePublicKeys([a, b])),
  negateKey: (key) => (isInfinity(key) ? key : key.with(0, key[0] ^ 0x20)),
  addSignatures: (a, b) => bls.addSignatures(a, b),
  encodeSignature: (point) => bls.encodeSignature(point),
  decodeSignature: (bytes) => bls.decodeSignature(bytes),
  verify: (key, signature) => bls.verify(key, vote, signature, signature.length === 96 ? 'compressed' : 'uncompressed'),
});

/**
 * Returns an aggregator's message: the signatures that it has from its subcommittee, and one bit per member. In this
 * example, some signatures are always missing.
 */
function aggregate(first, missing) {
  const bits = Array.from({ length: subcommittee }, (_, member) => (member % 8 === missing ? 0 : 1));
  const own = secrets.slice(first * subcommittee, (first + 1) * subcommittee).filter((_, member) => bits[member] === 1);
  const signature = bls.aggregateSignatures(own.map((secret) => bls.sign(secret, vote)));
  return scheme.encode(scheme.contribution({ first, number: 1 }, bits, signature));
}

/** The collector verifies and merges the aggregates, although several contain the same votes. */
const whole = { first: 0, number: committee / subcommittee };
let collection;
for (let first = 0; first < whole.number; first++) {
  for (const missing of [0, 1, 2]) {
    const read = scheme.decode({ first, number: 1 }, aggregate(first, missing));
    if (!read.ok || !scheme.verify(read.contribution))
      throw new Error(`an aggregate of subcommittee ${first} is invalid`);
    collection = collection === undefined ? read.contribution : scheme.aggregate(whole, collection, read.contribution);
  }
}
const listed = scheme.encode(collection);
console.log(
  `12 aggregates of 56 votes hold ${scheme.weight(collection)} of ${committee} votes: valid ${scheme.verify(collection)}`,
);

// The length of a proof grows with the logarithm of the committee's size. From 4,096 signers on, the proof is shorter
// than the list of multiplicities.
const setting = proofSetting(group, publicKeys, hashGenerators(group, committee));
const statement = statementOf(setting, collection.counts);
const proof = prove(setting, collection.counts, statement);
const signature = listed.subarray(-96);
const isValid = verifyProof(setting, { statement, proof }) && bls.verify(statement.key, vote, signature);
const proved = statement.key.length + statement.bits.length + proof.length + signature.length;
console.log(
  `${listed.length} bytes list who is in how often; ${proved} bytes prove the sum of the keys: valid ${isValid}`,
);
