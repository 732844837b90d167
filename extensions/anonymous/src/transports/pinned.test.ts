import type { Contribution } from '@tutti/core';
import { nodeCrypto } from '@tutti/transports/raw';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf, ownOutcomes } from '../../../../tests/digests.ts';
import { hostileRegistrations } from '../../tests/hostileRegistrations.ts';
import { anonymousEntry, setupOf } from '../../tests/setup.ts';
import { linkable, traceable } from '../ring.ts';
import { decodeRegistration, encodeRegistration, networkKeyPart, signedPart } from './registration.ts';
import { makeRegistration, SignedRegistrations } from './registrations.ts';

const members = 3;

it.each([
  ['linkable', linkable],
  ['traceable', traceable],
] as const)('%s registrations are what they were, byte by byte', (_, scheme) => {
  const setup = setupOf(members, scheme);
  const made = drawn(3, (draw, seed) => {
    const port = draw.integer(1, 65_535);
    const host = draw.one(['127.0.0.1', 'example.org', '2001:db8::1', `${'a'.repeat(56)}.onion`]);
    const entry = { ...anonymousEntry(seed), endpoint: { host, port }, transport: draw.one(['udp', 'tcp'] as const) };
    return setup.register(draw.integer(0, members - 1), seed, entry, draw.integer(1, 200));
  });
  const read = made.flatMap((bytes) => [
    ...(['udp', 'tcp'] as const).map((transport) => decodeRegistration(bytes, setup.rings.signatureBytes, transport)),
    ...drawn(80, (draw) => {
      const copy = bytes.slice(0, draw.chance(0.8) ? bytes.length : draw.integer(0, bytes.length));
      if (copy.length > 0)
        copy[draw.integer(0, draw.chance(0.5) ? 20 : copy.length - 1) % copy.length]! ^= 1 << draw.integer(0, 7);
      return decodeRegistration(copy, setup.rings.signatureBytes, 'udp');
    }),
  ]);
  const again = made.map((bytes) => {
    const decoded = decodeRegistration(bytes, setup.rings.signatureBytes, 'tcp');
    return decoded.ok && encodeRegistration(decoded.registration);
  });
  expect(
    [made, read, again, [networkKeyPart, signedPart].map((part) => part(Uint8Array.of(1), Uint8Array.of(2)))].map(
      digestOf,
    ),
  ).toMatchSnapshot();
});

it.each([
  ['linkable', linkable],
  ['traceable', traceable],
] as const)('what is found of hostile registrations with %s signatures is what it was', async (_, scheme) => {
  const setup = setupOf(members, scheme);
  const registrations = setup.registrations();
  const victims = [anonymousEntry(1), anonymousEntry(2)];
  const honest = [0, 1].map((member) => setup.register(member, member + 1));
  const hostile = drawn(3, (draw) => hostileRegistrations(setup, [2], victims, (bound) => draw.integer(0, bound - 1)));
  const all = [...honest, ...hostile.flat().flatMap(({ own, others }) => [own, ...others.slice(0, 6)])];
  const found: unknown[] = [];
  const handles: Contribution[] = [];
  for (const bytes of all) {
    const decoded = registrations.decode(bytes);
    if (!decoded.ok) {
      found.push(decoded.code);
      continue;
    }
    const holds = await registrations.verify(decoded.handle);
    found.push([holds, registrations.name(decoded.handle), registrations.bytes(decoded.handle)]);
    if (holds) handles.push(decoded.handle);
  }
  const related = handles.flatMap((one) =>
    handles.map((other) => [registrations.relate(one, other), registrations.relateClaim(one, other)]),
  );
  expect([digestOf(found), digestOf(related), registrations.verified, all.length, handles.length]).toMatchSnapshot();
});

it('what is missing is refused with the words that it was', () => {
  const { rings } = setupOf(members);
  const signatures = { verify: () => true, verifyPossession: () => true };
  const options = { crypto: nodeCrypto, signatures, rings, transport: 'udp' };
  const words = Object.keys(options).flatMap((field) =>
    [undefined, null, 7, {}].map((value) =>
      outcomeOf(() => void new SignedRegistrations({ ...options, [field]: value } as never)),
    ),
  );
  const made = [0, 1, 2, 3].flatMap((place) =>
    [undefined, null, -1, 'x', {}].map((value) => {
      const given: unknown[] = [
        nodeCrypto,
        0,
        anonymousEntry(1),
        { sign() {}, signWithNetworkKey() {}, signInRing() {} },
      ];
      given[place] = value;
      return outcomeOf(() => makeRegistration(...(given as Parameters<typeof makeRegistration>)));
    }),
  );
  expect(digestOf(ownOutcomes([...words, ...made]))).toMatchSnapshot();
});
