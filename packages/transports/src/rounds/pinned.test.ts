import { Stakes, Tree } from '@tutti/core';
import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { fittingPeriodMs, peerConfig, periodPerNodeMs } from './period.ts';
import { roundSession } from './plan.ts';
import { rememberedSecrets } from './rememberedSecrets.ts';
import { Round } from './round.ts';
import { roundMessage } from './roundMessage.ts';
import { roundAt, roundStartMs } from './schedule.ts';
import {
  beaconCommitment,
  beaconOf,
  beaconOfMembers,
  placementOf,
  prioritiesOf,
  priorityRows,
  requireSeed,
  roundSeed,
} from './seed.ts';
import { sharedVerdicts } from './sharedVerdicts.ts';
import { Strikes } from './strikes.ts';

it('seeds, beacons, placements and priorities are what they were', () => {
  const pins = drawn(24, (draw) => {
    const seed = draw.bytes(32);
    const size = draw.integer(1, 40);
    const stakes = draw.chance(0.4)
      ? new Stakes(
          new Tree(size),
          draw.list(size, () => BigInt(draw.integer(1, 99))),
        )
      : undefined;
    const priorities = prioritiesOf(nodeCrypto, size, seed, draw.one(priorityRows), stakes);
    const ranks = draw.list(60, () => priorities.rank(draw.integer(0, size - 1), draw.integer(0, size - 1)));
    const members = draw.list(3, () => {
      const [publicKey, opening] = [draw.bytes(48), draw.bytes(draw.chance(0.9) ? 32 : 31)];
      const commitment = beaconCommitment(nodeCrypto, publicKey, draw.chance(0.9) ? opening : draw.bytes(32));
      return { publicKey, opening, commitment };
    });
    return [
      [roundSeed(nodeCrypto, seed, draw.one([0, 3, 2 ** 40 + 1])), roundSeed(nodeCrypto, seed, 3, draw.bytes(9))],
      [placementOf(nodeCrypto, size, seed), ranks, beaconOfMembers(nodeCrypto, members)],
      [
        beaconOf({ bits: draw.bytes(3), signature: draw.bytes(96) }),
        outcomeOf(() => requireSeed(draw.bytes(draw.integer(31, 33)))),
      ],
    ];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "e0ba6ae9ccc3",
      "4c34360ac653",
      "7d18beafb2f9",
      "c5b07dcb9af0",
      "dc476fb487cb",
      "52c52a10ba65",
      "4c85672274cc",
      "ab66d6a0fb42",
      "d7357b15b4f2",
      "f0699798f366",
      "277e6b06a5bc",
      "99be1bd26cbf",
      "01a3ed7a798e",
      "be68fa294501",
      "df84628ab605",
      "30c2082bd609",
      "894fde4cf706",
      "736237d0087b",
      "93e25851044e",
      "65ac65b7a9fb",
      "c119e5bfe2f8",
      "eff86d45e0a6",
      "6dc06dc69b2a",
      "dc5fa996f959",
    ]
  `);
});

it('a round puts everybody where it did, and tells sets in the order of the registry', () => {
  const kernel = {
    decodeSignature: () => ({ ok: false }),
    encodeSignature: (point: Uint8Array) => point,
    addSignatures: (a: Uint8Array) => a,
  };
  const pins = drawn(16, (draw) => {
    const size = draw.integer(1, 30);
    const opened: unknown[] = [];
    const verifier = { verifyBatch: async () => [], close: async () => {} };
    const plan = {
      number: draw.integer(0, 9),
      message: draw.bytes(4),
      seed: draw.bytes(32),
      ...(draw.chance(0.5) && { priorities: 'shifted' as const }),
    };
    const options = {
      ...(draw.chance(0.5) && { weights: draw.list(size, () => BigInt(draw.integer(1, 9))) }),
      ...(draw.chance(0.5) && { leastWeight: BigInt(draw.integer(1, size)) }),
    };
    const points = draw.list(size, (_, index) => Uint8Array.of(index));
    const round = new Round(
      nodeCrypto,
      plan,
      draw.bytes(32),
      kernel as never,
      points,
      ((...given: unknown[]) => {
        opened.push(given);
        return verifier;
      }) as never,
      options,
    );
    const { number, message, seed, session, placement, positions, quorum } = round;
    const requirements = quorum?.requirements.map(({ least, stakes }) => [
      least,
      draw.list(size, (_, id) => stakes.weight(id)),
    ]);
    const bits = draw.bytes((size + 7) >> 3).map((byte, at) => byte & (at === size >> 3 ? (1 << (size & 7)) - 1 : 255));
    return digestOf([
      number,
      message,
      seed,
      session,
      placement,
      positions,
      requirements,
      round.inRegistryOrder(bits),
      opened,
    ]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "50edf35ea816",
      "ba4e87cc14fb",
      "4fc63078c4e8",
      "cb581011d69d",
      "28f620263ffd",
      "2464c3ea804b",
      "3953944af713",
      "bbc6c2285f8e",
      "2dac95458ed1",
      "7521a45b0c2e",
      "54cb34128578",
      "e56e8fb289b1",
      "0baa838e202e",
      "f9544e0b6642",
      "ec9bed91453f",
      "187e422593f8",
    ]
  `);
});

it('strikes, periods, schedules, messages and sessions are what they were', () => {
  const pins = drawn(60, (draw) => {
    const strikes = new Strikes();
    const rounds: number[] = [];
    const struck = draw.list(200, () => {
      if (draw.chance(0.5) || rounds.length === 0) rounds.push(strikes.open());
      const round = draw.one(rounds.slice(-3));
      if (draw.chance(0.2)) strikes.strike(draw.integer(0, 2), round);
      return [0, 1, 2].map((index) => [strikes.isStruck(index, round), strikes.isStruck(index, round + 9)]);
    });
    const nodes = draw.integer(1, 40);
    const plan = { number: draw.integer(0, 99), message: draw.bytes(5), seed: draw.bytes(32) };
    return [
      [
        struck,
        fittingPeriodMs(nodes),
        peerConfig({ threshold: 2, ...(draw.chance(0.5) && { fastPathPeers: 3 }) }, nodes),
      ],
      [
        roundAt(draw.number(0, 1e6), 700),
        roundStartMs(nodes, 700),
        roundMessage(draw.one(['a', '{round} b {round}']), nodes),
      ],
      [
        roundSession(nodeCrypto, draw.bytes(32), plan),
        roundSession(nodeCrypto, draw.bytes(32), { ...plan, priorities: 'shifted' }),
      ],
    ];
  });
  expect([periodPerNodeMs, digestOf(pins)]).toMatchInlineSnapshot(`
    [
      3,
      "f5f9737d83be",
    ]
  `);
});

it('a plan is refused with the words it was', () => {
  const right = { number: 1, message: new Uint8Array(3), seed: new Uint8Array(32) };
  const identity = new TextEncoder().encode('tutti identity v1\0 and more');
  const wrong = [
    {},
    { number: -1 },
    { number: 0.5 },
    { number: 2 ** 53 },
    { number: 2 ** 53 - 1 },
    { message: identity },
    { message: 'x' },
    { seed: new Uint8Array(31) },
  ];
  expect(
    wrong.map((fields) =>
      outcomeOf(() => digestOf(roundSession(nodeCrypto, new Uint8Array(32), { ...right, ...fields } as never))),
    ),
  ).toMatchInlineSnapshot(`
    [
      "3a6bb3ffd531",
      "RangeError: round: expected an integer from 0 to 2^53 - 1, got -1",
      "RangeError: round: expected an integer from 0 to 2^53 - 1, got 0.5",
      "RangeError: round: expected an integer from 0 to 2^53 - 1, got 9007199254740992",
      "d5a5fc82ce43",
      "WorldError: round 1: the message is the statement of an identity, which nobody may be asked to sign",
      "TypeError: message: expected a Uint8Array, got a text of 1 characters",
      "RangeError: seed: expected 32 bytes, got 31",
    ]
  `);
});

it('what was verified once is asked once, the oldest forgotten first, and again what failed', async () => {
  const pins = await Promise.all(
    drawn(6, async (draw) => {
      const asked: unknown[] = [];
      const verdicts = sharedVerdicts({
        verifyBatch: async (claims) => {
          asked.push(claims.map(({ first }) => first));
          if (asked.length % 4 === 0) throw new Error('not now');
          return claims.map(({ first }) => first % 3 !== 0);
        },
        close: async () => void asked.push('closed'),
      });
      const told: unknown[] = [];
      for (let step = 0; step < 40; step++) {
        const most = step < 20 ? 8 : 1500;
        const claims = draw.list(step === 30 ? 1200 : draw.integer(1, 4), (_, index) => {
          const first = step === 30 ? index : draw.integer(0, most);
          return { first, bits: Uint8Array.of(first & 1), signature: Uint8Array.of(1, first & 2) };
        });
        told.push(await verdicts.verifyBatch(claims).catch(String));
      }
      await verdicts.close();
      return digestOf([asked, told]);
    }),
  );
  expect(pins).toMatchInlineSnapshot(`
    [
      "c9f41836aa19",
      "5bf08db86fb4",
      "e68aae835120",
      "0e7a189dded9",
      "d755dea2dafe",
      "41bdf6e8f385",
    ]
  `);
});

it('secrets are shared once for each pair of keys', () => {
  let agreed = 0;
  const crypto = rememberedSecrets({
    ...nodeCrypto,
    keyAgreement: (secret) => {
      const { publicKey, sharedSecret } = nodeCrypto.keyAgreement(secret);
      const counted = (key: Uint8Array) => {
        agreed++;
        return sharedSecret(key);
      };
      return { publicKey, sharedSecret: counted };
    },
  });
  const secrets = [1, 2, 3].map((fill) => new Uint8Array(32).fill(fill));
  const agreements = secrets.map((secret) => crypto.keyAgreement(secret));
  const shared = agreements.flatMap((one) => agreements.map(({ publicKey }) => one.sharedSecret(publicKey)));
  expect([agreed, digestOf(shared), crypto.keyAgreement(secrets[0]!) === agreements[0]]).toMatchInlineSnapshot(`
    [
      6,
      "db7cb8885c5a",
      true,
    ]
  `);
  expect(crypto.keyAgreement(secrets[0]!).sharedSecret(new Uint8Array(32))).toBeUndefined();
});
