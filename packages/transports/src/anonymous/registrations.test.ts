import { insecureSecretKey } from '@tutti/wasm-bls';
import { traceable } from '@tutti/wasm-bls/ring';
import { describe, expect, it } from 'vitest';
import { anonymousEntry, bls, setupOf } from '../../test/setup.ts';
import { nodeCrypto } from '../crypto/node.ts';
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
  it("each member's holds", async () => {
    const registrations = setup.registrations();
    for (const member of [0, 1, 2])
      expect(await registrations.verify(read(registrations, setup.register(member, member + 1)))).toBe(true);
    expect(registrations.verified).toBe(3);
  });

  it('each field, changed, spoils it', async () => {
    const registrations = setup.registrations();
    const bytes = setup.register(0, 1);
    const decoded = decodeRegistration(bytes, setup.rings.signatureBytes);
    if (!decoded.ok) throw new Error(decoded.code);
    const { entry, ringSignature, seal } = decoded.registration;
    const other = anonymousEntry(2);
    const change = (array: Uint8Array) => Uint8Array.from(array, (byte, i) => (i === 40 ? byte ^ 1 : byte));
    for (const changed of [
      { entry: { ...entry, publicKey: other.publicKey } },
      { entry: { ...entry, proofOfPossession: other.proofOfPossession } },
      { entry: { ...entry, networkKey: other.networkKey } },
      { entry: { ...entry, networkKeyProof: other.networkKeyProof } },
      { entry: { ...entry, transport: 'tcp' as const } },
      { entry: { ...entry, endpoint: { host: '127.0.0.1', port: 1 } } },
      { entry: { ...entry, endpoint: { host: '127.0.0.2', port: entry.endpoint.port } } },
      { ringSignature: change(ringSignature) },
      { seal: change(seal) },
    ]) {
      const spoilt = encodeRegistration({ ring: 0, entry, ringSignature, seal, ...changed });
      expect(await registrations.verify(read(registrations, spoilt)), Object.keys(changed)[0]).toBe(false);
    }
  });

  it("nobody registers another's key in its place: a copy has no seal", async () => {
    const registrations = setup.registrations();
    const stolen = makeRegistration(nodeCrypto, 0, anonymousEntry(1), {
      sign: (message) => bls.sign(insecureSecretKey(bls, 1, 2), message),
      signInRing: () => new Uint8Array(setup.rings.signatureBytes[0]!),
    });
    expect(await registrations.verify(read(registrations, stolen))).toBe(false);
    // The ring signature, which is the costly part, was not looked at.
    expect(registrations.verified).toBe(0);
  });

  it('two of a member are a double, the same twice is not, and a claim is seen without verification', async () => {
    const registrations = setup.registrations();
    const [one, two, again, other] = [
      setup.register(0, 1),
      setup.register(0, 2),
      setup.register(0, 1, anonymousEntry(1), 2),
      setup.register(1, 3),
    ].map((bytes) => read(registrations, bytes));
    expect(registrations.claimsAuthorOf(two!, one!)).toBe(false);
    for (const handle of [one, again, other]) await registrations.verify(handle!);
    expect(registrations.claimsAuthorOf(two!, one!)).toBe(true);
    expect(registrations.claimsAuthorOf(two!, other!)).toBe(false);
    expect(() => registrations.relate(one!, two!)).toThrow(/expected registrations that were found to hold/);
    await registrations.verify(two!);
    expect(registrations.relate(one!, two!)).toEqual({ kind: 'double', author: undefined });
    expect(registrations.relate(one!, again!)).toEqual({ kind: 'repeated' });
    expect(registrations.relate(one!, other!)).toEqual({ kind: 'independent' });
  });

  it('traceable signatures say whose a double is', async () => {
    const traced = setupOf(3, traceable);
    const registrations = traced.registrations();
    const pair = [traced.register(2, 1), traced.register(2, 2)].map((bytes) => read(registrations, bytes));
    for (const handle of pair) await registrations.verify(handle);
    expect(registrations.relate(pair[0]!, pair[1]!)).toEqual({ kind: 'double', author: 2 });
  });

  it('the same bytes are one registration, verified once, held until nobody holds it', async () => {
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
  });

  it('the same names are one list, whatever their order, held until nobody holds it', () => {
    const registrations = setup.registrations();
    const names = ['b', 'a', 'c'].map((digit) => digit.repeat(32));
    const list = registrations.list(names);
    expect(registrations.list([...names].reverse())).toBe(list);
    expect(registrations.readList(registrations.listBytes(list))).toBe(list);
    expect(registrations.names(list)).toEqual(new Set(names));
    // What a peer sends in another order, or twice, is another list of the same names.
    const bytes = Uint8Array.of(...new Array(16).fill(0xbb), ...new Array(16).fill(0xaa), ...new Array(16).fill(0xbb));
    const other = registrations.readList(bytes);
    expect(registrations.names(other)).toEqual(new Set(names.slice(0, 2)));
    expect(registrations.listBytes(other)).toEqual(bytes);
    for (const handle of [list, list, list, other]) registrations.release(handle);
    expect(registrations.held).toBe(0);
  });
});
