/** Valid and invalid certificates for every verifier, in all formats, from constants alone. */
import { bls12_381 as curve } from '@noble/curves/bls12-381.js';
import { bytesToHex as hex, hexToBytes } from '@noble/hashes/utils.js';
import {
  attestationDataRoot,
  attestationRoot,
  certificateRegistryDigest,
  encodeAttestation,
  encodeCertificate,
  encodeSignedWarp,
  encodeSyncAggregate,
  encodeWarpMessage,
  messageHash,
  signingRoot,
  syncAggregateRoot,
  verifyCertificate,
  verifySignedWarp,
  warpSetOf,
} from '@tutti/certificates';
import { insecureSecretKey, loadBls } from '@tutti/wasm-bls';
import { eipPoint } from './evm.mjs';

export const kernels = { 'min-pk': await loadBls(), 'min-sig': await loadBls({ variant: 'min-sig' }) };
const order = curve.G1.Point.CURVE().n;
const text = (words) => new TextEncoder().encode(words);
const numbered = (count) => Array.from({ length: count }, (_, index) => index);
const bigEndian = (value, length) => hexToBytes(value.toString(16).padStart(2 * length, '0'));
const network = 5;
const payload = text('tutti');
const data = {
  slot: 1n,
  index: 0n,
  beaconBlockRoot: messageHash(payload),
  source: { epoch: 0n, root: new Uint8Array(32).fill(2) },
  target: { epoch: 1n, root: new Uint8Array(32).fill(3) },
};
const domainOf = (type) => Uint8Array.from([type, ...new Uint8Array(31).fill(9)]);

// --- The cases ---------------------------------------------------------------------------------------------------------

const secretOf = (index) => BigInt(`0x${hex(insecureSecretKey(kernels['min-pk'], 34, index))}`);
const first = (count) => numbered(count).map(secretOf);

/** Returns a case. By default, every member signs and has a weight of 1. `accepts` is the expected verdict. */
function certificate(name, accepts, members, given = {}) {
  const secrets = typeof members === 'number' ? first(members) : members;
  const signers = given.signers ?? numbered(secrets.length);
  return {
    name,
    accepts,
    secrets,
    weights: secrets.map(() => 1n),
    keyless: 0n,
    signers,
    signing: signers,
    share: { numerator: 67n, denominator: 100n },
    /** Defect of the certificate's form: `bit-beyond`, `padding`, `cut`, `longer`, `elsewhere`. */
    form: undefined,
    /** Defect of the signature: `infinity`, `another`, `negative`, `small-order`, `off-curve`, `over-modulus`. */
    signature: undefined,
    /** Whether two keys are shifted, one by a point of small order and the other by its negative. */
    shifted: false,
    /** Formats with a different rule, and their expected verdicts. */
    except: {},
    ...given,
  };
}

const both = (name, value) => ({ [`${name} min-pk`]: value, [`${name} min-sig`]: value });

function degenerate() {
  const pair = [5n, order - 5n];
  const noSharedKeys = both('contract', 'refused');
  const weightless = { ...both('tutti', 'refused'), ...both('contract', 'refused') };
  return [
    ...[1, 2, 3, 4, 7, 8, 9, 16, 17].map((count) => certificate(`all of ${count}`, 'accepted', count)),
    certificate('nobody', 'refused', 4, { signers: [], signature: 'infinity' }),
    certificate('one of four', 'refused', 4, { signers: [2] }),
    certificate('a bit beyond the members', 'refused', 9, { form: 'bit-beyond' }),
    certificate('a bit beyond whole bytes of members', 'refused', 8, { form: 'bit-beyond' }),
    certificate('a byte of zeros before or after the bits', 'refused', 9, { form: 'padding' }),
    certificate('cut by a byte', 'refused', 4, { form: 'cut' }),
    certificate('longer by a byte', 'refused', 4, { form: 'longer' }),
    certificate('of another network, namespace, registry or domain', 'refused', 4, { form: 'elsewhere' }),
    certificate('somebody marked who did not sign', 'refused', 4, { signing: [0, 1, 2] }),
    certificate('somebody who signed and is not marked', 'refused', 4, { signers: [0, 1, 2], signing: [0, 1, 2, 3] }),
    certificate('a signature added twice', 'refused', 4, { signing: [0, 1, 2, 3, 3] }),
    certificate('over another message', 'refused', 4, { signature: 'another' }),
    certificate('the negative of its signature', 'refused', 4, { signature: 'negative' }),
    certificate('an infinite signature', 'refused', 4, { signature: 'infinity' }),
    certificate('a signature shifted by a point of small order', 'refused', 4, { signature: 'small-order' }),
    certificate('a signature off the curve', 'refused', 4, { signature: 'off-curve' }),
    certificate('a coordinate over the modulus', 'refused', 4, { signature: 'over-modulus' }),
    certificate('two keys shifted by a point of small order, to the same sum', 'refused', 4, { shifted: true }),
    certificate('a key and its negative, who sign nothing together', 'refused', pair, { signature: 'infinity' }),
    certificate('a key and its negative, and a third', 'accepted', [...pair, secretOf(0)], { except: noSharedKeys }),
    certificate('a key and its negative beside four', 'accepted', [...pair, ...first(4)], {
      signers: [1, 2, 3, 4, 5],
      except: noSharedKeys,
    }),
    certificate('one key twice', 'accepted', [0, 1, 0].map(secretOf), { except: noSharedKeys }),
    certificate('a member that weighs nothing', 'accepted', 3, { weights: [1n, 0n, 1n], except: weightless }),
    certificate('signers that all weigh nothing', 'refused', 4, { weights: [0n, 1n, 1n, 1n], signers: [0] }),
    certificate('weight of validators without a key', 'accepted', 4, { keyless: 2n, except: { avalanche: 'refused' } }),
  ];
}

/** Returns cases that depend on weight: one with exactly enough weight, and one with 1 less. */
function weighed() {
  const all = { numerator: 1n, denominator: 1n };
  const cases = [];
  for (const [total, least] of [
    [100n, 67n],
    [2n ** 53n + 1n, undefined],
    [2n ** 53n - 1n, undefined],
    [2n ** 63n - 1n, undefined],
    [2n ** 64n - 1n, 12_359_318_529_385_399_583n],
  ]) {
    const enough = least ?? (total * 67n + 99n) / 100n;
    // Only Avalanche's format and the contract support weights of up to 64 bits.
    const except = total >= 2n ** 63n ? both('tutti', 'refused') : {};
    for (const short of [0n, 1n]) {
      const weights = [enough - short - 3n, 1n, 1n, 1n, total - enough + short];
      const name = `${weights.slice(0, 4).reduce((a, b) => a + b)} of ${total}`;
      const given = { weights, signers: numbered(4) };
      cases.push(
        short === 0n ? certificate(name, 'accepted', 5, { ...given, except }) : certificate(name, 'refused', 5, given),
      );
    }
  }
  cases.push(
    certificate('one who weighs enough alone', 'accepted', 4, { weights: [2n ** 40n, 1n, 1n, 1n], signers: [0] }),
    certificate('dust without the one', 'refused', 9, {
      weights: [2n ** 40n, ...numbered(8).map(() => 1n)],
      signers: [1, 2, 3, 4, 5, 6, 7, 8],
    }),
    certificate('all, where all are asked for', 'accepted', 5, { share: all }),
    certificate('one fewer than all', 'refused', 5, { share: all, signers: numbered(4) }),
  );
  return cases;
}

/** Returns cases with random groups, weights, signers and defects from a fixed seed. */
function drawn(count) {
  let state = 34;
  const draw = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return numbered(count).map((index) => {
    const size = 1 + draw(index % 5 === 0 ? 40 : 12);
    const weights = numbered(size).map(() => 1n + BigInt(draw(2 ** 20)) ** BigInt(1 + draw(2)));
    const odds = [1, 0.8, 0.66][draw(3)];
    const signers = numbered(size).filter(() => draw(1000) < 1000 * odds);
    const isForged = draw(4) === 0 && signers.length > 0;
    const total = weights.reduce((a, b) => a + b);
    const weight = signers.reduce((sum, member) => sum + weights[member], 0n);
    const isEnough = 67n * total <= 100n * weight && signers.length > 0;
    return certificate(`drawn ${index}`, isEnough && !isForged ? 'accepted' : 'refused', size, {
      weights,
      signers,
      ...(isForged ? { signing: signers.slice(1) } : {}),
      ...(signers.length === 0 || (isForged && signers.length === 1) ? { signature: 'infinity' } : {}),
    });
  });
}

/**
 * @typedef {'accepted' | 'refused'} Verdict
 * @typedef {{ name: string, accepts: Verdict, form?: string, except: Record<string, Verdict> }} Case
 * @typedef {{ one: Case } & Record<string, { ours: string, code?: string, line: string }>} Question
 */

/** @type {Case[]} */
export const cases = [...degenerate(), ...weighed(), ...drawn(24)];

// --- Points that no library would write --------------------------------------------------------------------------------

const modulus = curve.fields.Fp.ORDER;
/** Returns the x and y of a point in their byte order: in G2, the imaginary part comes first. */
const coordinates = ({ x, y }) => (typeof x === 'bigint' ? [x, y] : [x.c1, x.c0, y.c1, y.c0]);

function encoded(point) {
  const width = point instanceof curve.G1.Point ? 48 : 96;
  if (point.is0()) return { compressed: new Uint8Array(width).with(0, 0xc0), raw: new Uint8Array(2 * width) };
  const parts = coordinates(point.toAffine());
  const raw = Uint8Array.from(parts.flatMap((part) => [...bigEndian(part, 48)]));
  const compressed = raw.slice(0, width);
  const [high, low] = parts.length === 2 ? [parts[1], 0n] : parts.slice(2);
  const sign = high === 0n ? low : high;
  compressed[0] |= sign > (modulus - 1n) / 2n ? 0xa0 : 0x80;
  return { compressed, raw };
}

function times(point, scalar) {
  let sum = point.subtract(point);
  for (const bit of scalar.toString(2)) {
    sum = sum.double();
    if (bit === '1') sum = sum.add(point);
  }
  return sum;
}

/** Returns a point of small order: (0, 2) of order 3 on G1's curve; one of order 13 on G2's curve. */
function smallOrder(Point) {
  if (Point === curve.G1.Point) return Point.fromAffine({ x: 0n, y: 2n });
  const { n, h, b } = Point.CURVE();
  const { Fp2 } = curve.fields;
  for (let c0 = 1n; ; c0++) {
    const x = Fp2.create({ c0, c1: 0n });
    const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
    try {
      const point = times(Point.fromAffine({ x, y: Fp2.sqrt(square) }), n * (h / 169n));
      if (!point.is0()) return point;
    } catch {
      // No point of the curve has this x.
    }
  }
}

const groupsOf = {
  'min-pk': { Key: curve.G1.Point, Signature: curve.G2.Point },
  'min-sig': { Key: curve.G2.Point, Signature: curve.G1.Point },
};
const small = new Map([curve.G1.Point, curve.G2.Point].map((Point) => [Point, smallOrder(Point)]));
const pointOf = (Point, bytes) => Point.fromBytes(bytes);

const keyCache = new Map();
function keyOf(variant, secret) {
  const name = `${variant} ${secret}`;
  if (!keyCache.has(name)) keyCache.set(name, kernels[variant].publicKey(bigEndian(secret, 32)));
  return keyCache.get(name);
}

/** Returns the members' registry keys, in compressed and raw form. */
function keysOf({ secrets, shifted }, variant) {
  const { Key } = groupsOf[variant];
  const shift = small.get(Key);
  return secrets.map((secret, index) => {
    const bytes = keyOf(variant, secret);
    const by = shifted ? [shift, shift.negate()][index] : undefined;
    if (by !== undefined) return encoded(pointOf(Key, bytes).add(by));
    const { point } = kernels[variant].decodePublicKey(bytes);
    return { compressed: bytes, raw: point };
  });
}

/** Returns the signature of a case on a verifier's message. */
function signatureOf({ secrets, signing, signature }, variant, message) {
  const bls = kernels[variant];
  const { Signature } = groupsOf[variant];
  if (signature === 'infinity' || signing.length === 0) return encoded(Signature.ZERO);
  const signed = signature === 'another' ? messageHash(message) : message;
  // The sum of the members' signatures, computed with the sum of their secrets.
  const secret = signing.reduce((sum, member) => (sum + secrets[member]) % order, 0n);
  const sum = secret === 0n ? encoded(Signature.ZERO).compressed : bls.sign(bigEndian(secret, 32), signed);
  if (signature === 'negative') return encoded(pointOf(Signature, sum).negate());
  if (signature === 'small-order') return encoded(pointOf(Signature, sum).add(small.get(Signature)));
  const decoded = bls.decodeSignature(sum);
  const good = decoded.ok ? { compressed: sum, raw: decoded.point } : encoded(Signature.ZERO);
  if (signature === 'off-curve') return spoilt(good, (bytes) => (bytes[bytes.length - 1] ^= 1), offCurve(bls, sum));
  if (signature === 'over-modulus') return spoilt(good, overModulus, overModulus(good.compressed.slice()));
  return good;
}

function spoilt({ raw }, spoil, compressed) {
  const bytes = raw.slice();
  spoil(bytes);
  return { compressed, raw: bytes };
}

/** Returns the next x that is not the coordinate of a point of the curve. */
function offCurve(bls, bytes) {
  const x = bytes.slice();
  do x[x.length - 1]++;
  while (bls.decodeSignature(x).code !== 'not-on-curve');
  return x;
}

function overModulus(bytes) {
  const flags = bytes[0] & 0xe0;
  bytes.set(bigEndian(modulus, 48));
  bytes[0] |= flags;
  return bytes;
}

// --- A question for each verifier --------------------------------------------------------------------------------------

function bitsOf(size, members, form) {
  const beyond = form === 'bit-beyond' ? [size] : [];
  const length = Math.ceil(Math.max(size, ...beyond.map((one) => one + 1)) / 8) + (form === 'padding' ? 1 : 0);
  const bits = new Uint8Array(length);
  for (const member of [...members, ...beyond]) bits[member >> 3] |= 1 << (member & 7);
  return bits;
}

function withLength(bytes, form) {
  if (form === 'cut') return bytes.slice(0, -1);
  return form === 'longer' ? Uint8Array.from([...bytes, 0]) : bytes;
}

const answer = (ok) => (ok ? 'accepted' : 'refused');

/** Returns the verdict of this project's code on a case. A refused registry counts as `refused`. */
function ours(verify) {
  try {
    return answer(verify().ok);
  } catch (error) {
    if (error instanceof RangeError) return 'refused';
    throw error;
  }
}

function tuttiQuestion(one, variant) {
  const { weights, signers, share, form } = one;
  const keys = keysOf(one, variant);
  const entries = keys.map(({ compressed }, index) => ({
    publicKey: compressed,
    networkKey: bigEndian(BigInt(index + 2), 32),
    weight: weights[index],
  }));
  const registry = { entries, threshold: share };
  const isWeighed = weights.every((weight) => weight > 0n) && weights.reduce((a, b) => a + b) < 2n ** 63n;
  const { compressed: signature } = signatureOf(one, variant, payload);
  const bits = bitsOf(keys.length, signers, form);
  const size = bits.length > Math.ceil(keys.length / 8) || form === 'bit-beyond' ? keys.length + 1 : keys.length;
  const named = form === 'elsewhere' ? { entries, epoch: 7n } : registry;
  const encoded = encodeCertificate({
    registry: isWeighed ? certificateRegistryDigest(named) : new Uint8Array(32),
    epoch: 0n,
    message: messageHash(payload),
    size,
    bits: bits.slice(0, Math.ceil(size / 8)),
    signature,
  });
  const certificate = withLength(encoded, form);
  return ours(() => verifyCertificate({ registry, bytes: payload, certificate, kernel: kernels[variant] }));
}

function avalancheQuestion(one) {
  const { weights, keyless, signers, share, form } = one;
  const bls = kernels['min-pk'];
  const keys = keysOf(one, 'min-pk');
  const rawOf = new Map(keys.map(({ compressed, raw }) => [hex(compressed), raw]));
  const unsigned = encodeWarpMessage({ network, chain: new Uint8Array(32).fill(3), payload });
  const set = warpSetOf(
    [
      ...keys.map(({ compressed }, index) => ({ publicKey: compressed, weight: weights[index] })),
      ...(keyless > 0n ? [{ weight: keyless }] : []),
    ],
    (key) => rawOf.get(hex(key)),
  );
  const placeOf = new Map(set.members.map(({ publicKey }, place) => [hex(publicKey), place]));
  const places = [...new Set(signers.map((member) => placeOf.get(hex(keys[member].compressed))))];
  // A key that occurs twice counts as one member here, which signs once.
  const merged = {
    ...one,
    signing: set.members.length < keys.length ? [...new Set(one.signing)].slice(0, 2) : one.signing,
  };
  const { compressed: signature } = signatureOf(merged, 'min-pk', unsigned);
  let bytes = encodeSignedWarp(unsigned, form === 'bit-beyond' ? [...places, set.members.length] : places, signature);
  if (form === 'padding') {
    const at = unsigned.length + 4;
    const length = new DataView(bytes.buffer).getUint32(at) + 1;
    bytes = Uint8Array.from([...bytes.slice(0, at), 0, 0, 0, length, 0, ...bytes.slice(at + 4)]);
  }
  bytes = withLength(bytes, form);
  const asked = form === 'elsewhere' ? 1 : network;
  const validators = [
    ...keys.map(({ compressed }, index) => `${hex(compressed)}:${weights[index]}`),
    ...(keyless > 0n ? [`-:${keyless}`] : []),
  ].join(',');
  const verdict = verifySignedWarp(bytes, set, { network: asked, ...share }, bls);
  return {
    ours: answer(verdict.ok),
    code: verdict.ok ? undefined : verdict.code,
    line: `${asked} ${share.numerator} ${share.denominator} ${validators} ${hex(bytes)}`,
  };
}

/** Returns the contract's input: its members, and the certificate for the message that it expects. */
export function contractQuestion(one, variant) {
  const keys = keysOf(one, variant);
  const bls = kernels[variant];
  const rawProof = (secret) => bls.decodeSignature(bls.provePossession(bigEndian(secret, 32))).point;
  const { signers, weights, share, form } = one;
  return {
    share,
    members: keys.map(({ raw }, index) => ({ key: raw, weight: weights[index], proof: rawProof(one.secrets[index]) })),
    payload,
    bits: bitsOf(keys.length, signers, form),
    round: form === 'elsewhere' ? 8n : 7n,
    signature: (statement) => withLength(eipPoint(signatureOf(one, variant, statement).raw), form),
  };
}

/** Returns the votes in committees of five if each has a signer, otherwise in one committee. */
function votesOf({ secrets, signers }) {
  const voted = numbered(secrets.length).map((member) => signers.includes(member));
  const fives = numbered(Math.ceil(voted.length / 5)).map((committee) => ({
    committee: 3 * committee,
    voted: voted.slice(5 * committee, 5 * committee + 5),
  }));
  return fives.every((one) => one.voted.includes(true)) ? fives : [{ committee: 63, voted }];
}

/** Returns an attestation and a sync aggregate for Ethereum's library; undefined if the format has no such case. */
export function sszQuestion(one) {
  if (one.form === 'bit-beyond' || one.form === 'padding' || one.signers.length === 0) return undefined;
  const isElsewhere = one.form === 'elsewhere';
  const attester = (root) => signingRoot(root, domainOf(isElsewhere ? 2 : 1));
  const keys = keysOf(one, 'min-pk').map(({ compressed }) => compressed);
  const statement = signingRoot(attestationDataRoot(data), domainOf(1));
  const { compressed: signature } = signatureOf(one, 'min-pk', statement);
  const attestation = { data, votes: votesOf(one), signature };
  const signed = numbered(512).map((place) => one.signers.includes(place));
  return {
    keys,
    statement: attester(attestationDataRoot(data)),
    attestation: withLength(encodeAttestation(attestation), one.form),
    attestationRoot: hex(attestationRoot(attestation)),
    sync: withLength(encodeSyncAggregate(signed, signature), one.form),
    syncRoot: hex(syncAggregateRoot(signed, signature)),
    signature,
    ours: answer(
      one.form !== 'cut' &&
        one.form !== 'longer' &&
        kernels['min-pk'].fastAggregateVerify(
          one.signers.map((member) => keys[member]),
          attester(attestationDataRoot(data)),
          signature,
        ),
    ),
  };
}

/** @returns {Question[]} this project's verdicts by format, and the input lines for the other programs. */
export function questions() {
  return cases.map((one) => ({
    one,
    'tutti min-pk': { ours: tuttiQuestion(one, 'min-pk') },
    'tutti min-sig': { ours: tuttiQuestion(one, 'min-sig') },
    avalanche: avalancheQuestion(one),
  }));
}
