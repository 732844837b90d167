import { identityStatement } from '@tutti/core';
import { nodeCrypto } from '@tutti/transports/node';
import { insecureSecretKey } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { anonymousEntry, bls, setupOf } from '../../tests/setup.ts';
import { traceable } from '../ring.ts';
import { decodeRegistration, encodeRegistration } from './registration.ts';
import { makeRegistration } from './registrations.ts';

const setup = setupOf(3);
const read = (registrations: ReturnType<typeof setup.registrations>, bytes: Uint8Array) => {
  const decoded = registrations.decode(bytes);
  if (!decoded.ok) throw new Error(decoded.code);
  return decoded.handle;
};

/** v1.03 section 5.3. */
describe('registrations with their signatures', () => {
  it('are invalid after a change of any field', async () => {
    const registrations = setup.registrations();
    const bytes = setup.register(0, 1);
    expect(await registrations.verify(read(registrations, bytes))).toBe(true);
    const decoded = decodeRegistration(bytes, setup.rings.signatureBytes, 'udp');
    if (!decoded.ok) throw new Error(decoded.code);
    const { entry, networkSignature, ringSignature, seal } = decoded.registration;
    const other = anonymousEntry(2);
    const change = (array: Uint8Array) => Uint8Array.from(array, (byte, i) => (i === 40 ? byte ^ 1 : byte));
    for (const changed of [
      { entry: { ...entry, publicKey: other.publicKey } },
      { entry: { ...entry, proofOfPossession: other.proofOfPossession } },
      { entry: { ...entry, networkKey: other.networkKey } },
      { entry: { ...entry, networkKeyProof: other.networkKeyProof } },
      { entry: { ...entry, endpoint: { host: '127.0.0.1', port: 1 } } },
      { entry: { ...entry, endpoint: { host: '127.0.0.2', port: entry.endpoint.port } } },
      { networkSignature: change(networkSignature) },
      { ringSignature: change(ringSignature) },
      { seal: change(seal) },
    ]) {
      const spoilt = encodeRegistration({ ...decoded.registration, ...changed });
      expect(await registrations.verify(read(registrations, spoilt)), Object.keys(changed)[0]).toBe(false);
    }
  });

  it("cannot register another's key: a copy has no seal", async () => {
    const registrations = setup.registrations();
    const stolen = makeRegistration(nodeCrypto, 0, anonymousEntry(1), {
      sign: (message) => bls.sign(insecureSecretKey(bls, 1, 2), message),
      signWithNetworkKey: () => new Uint8Array(64),
      signInRing: () => new Uint8Array(setup.rings.signatureBytes[0]!),
    });
    expect(await registrations.verify(read(registrations, stolen))).toBe(false);
    // The ring signature, which is expensive, was not verified.
    expect(registrations.verified).toBe(0);
  });

  it("cannot register another's network key, in any encoding, with any own key", async () => {
    const registrations = setup.registrations();
    const victim = anonymousEntry(1).networkKey;
    const own = insecureSecretKey(bls, 1, 2);
    for (const networkKey of [
      victim,
      victim.with(31, victim[31]! | 0x80),
      new Uint8Array(32).fill(0, 1),
      victim.with(0, 1),
    ]) {
      const { publicKey } = anonymousEntry(2);
      const networkKeyProof = bls.sign(own, identityStatement(publicKey, networkKey));
      const bytes = setup.register(0, 2, { ...anonymousEntry(2), networkKey, networkKeyProof });
      expect(await registrations.verify(read(registrations, bytes))).toBe(false);
    }
    expect(registrations.verified).toBe(0);
  });

  it('two of a member are a double, the same twice is not, and a claim is visible without verification', async () => {
    const registrations = setup.registrations();
    const [one, two, again, other] = [
      setup.register(0, 1),
      setup.register(0, 2),
      setup.register(0, 1, anonymousEntry(1), 2),
      setup.register(1, 3),
    ].map((bytes) => read(registrations, bytes));
    expect(() => registrations.relateClaim(two!, one!)).toThrow(/expected a verified registration/);
    for (const handle of [one, again, other]) await registrations.verify(handle!);
    expect(registrations.relateClaim(two!, one!)).toMatchObject({ kind: 'double' });
    expect(registrations.relateClaim(two!, other!)).toEqual({ kind: 'independent' });
    expect(() => registrations.relate(one!, two!)).toThrow(/expected verified registrations/);
    await registrations.verify(two!);
    const { offender } = registrations.relate(one!, two!) as { offender: string };
    expect(offender).toMatch(/^[0-9a-f]{32}$/);
    expect(registrations.relate(one!, two!)).toEqual({ kind: 'double', author: undefined, offender });
    // If only the tag links the registrations, the author has a single name.
    expect(registrations.relate(one!, again!)).toEqual({ kind: 'repeated', offender });
    expect(registrations.relate(one!, other!)).toEqual({ kind: 'independent' });
  });

  it('traceable signatures name the author of a double, equally for all doubles, and repeats by their content', async () => {
    const traced = setupOf(3, traceable);
    const registrations = traced.registrations();
    const entry = anonymousEntry(1);
    const [one, two, three, again, once, elses] = [
      ...[1, 2, 3].map((index) => traced.register(2, index)),
      ...[2, 3].map((entropy) => traced.register(2, 1, entry, entropy)),
      traced.register(1, 4),
    ].map((bytes) => read(registrations, bytes));
    for (const handle of [one, two, three, again, once, elses]) await registrations.verify(handle!);
    const double = registrations.relate(one!, two!);
    expect(double).toMatchObject({ kind: 'double', author: 2 });
    for (const [a, b] of [
      [one, three],
      [two, three],
      [again, two],
    ])
      expect(registrations.relate(a!, b!)).toEqual(double);
    const repeated = registrations.relate(one!, again!);
    expect(repeated).toMatchObject({ kind: 'repeated' });
    expect(repeated).not.toMatchObject({ offender: (double as { offender: string }).offender });
    expect(registrations.relate(again!, once!)).toEqual(repeated);
    expect(registrations.relate(one!, elses!)).toEqual({ kind: 'independent' });
  });

  it('the same bytes are one registration, verified once, kept until the last release', async () => {
    const registrations = setup.registrations();
    const bytes = setup.register(0, 1);
    const [one, two] = [read(registrations, bytes), read(registrations, Uint8Array.from(bytes))];
    expect(one).toBe(two);
    await Promise.all([registrations.verify(one), registrations.verify(two)]);
    expect(registrations.verified).toBe(1);
    registrations.release(one);
    expect(registrations.bytes(one)).toEqual(bytes);
    registrations.release(one);
    expect(registrations.held).toBe(0);
    expect(() => registrations.bytes(one)).toThrow(RangeError);
    // Decoding the same bytes again gives a new registration.
    expect(registrations.bytes(read(registrations, bytes))).toEqual(bytes);
  });

  it('the same names are one list in any order, kept until the last release', () => {
    const registrations = setup.registrations();
    const names = ['b', 'a', 'c'].map((digit) => digit.repeat(32));
    const list = registrations.list(names);
    expect(registrations.list([...names].reverse())).toBe(list);
    expect(registrations.readList(registrations.listBytes(list))).toBe(list);
    expect(registrations.names(list)).toEqual(new Set(names));
    // The same names in a different order, or with repetitions, form a different list.
    const bytes = Uint8Array.of(...new Array(16).fill(0xbb), ...new Array(16).fill(0xaa), ...new Array(16).fill(0xbb));
    const other = registrations.readList(bytes);
    expect(registrations.names(other)).toEqual(new Set(names.slice(0, 2)));
    expect(registrations.listBytes(other)).toEqual(bytes);
    for (const handle of [list, list, list, other]) registrations.release(handle);
    expect(registrations.held).toBe(0);
    expect(registrations.names(registrations.list(names))).toEqual(new Set(names));
  });
});
