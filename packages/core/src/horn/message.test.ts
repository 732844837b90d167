import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contributionOf, signersOf } from '../../test/sets.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { noContribution } from '../protocol.ts';
import { looksLikeIdentity } from '../registry/identity.ts';
import { decodeHornMessage, encodeHornMessage, hornStatement, longestHornMessageBytes } from './message.ts';
import { defaultHornParameters } from './parameters.ts';
import { HornTopic } from './rules.ts';
import { planSlot } from './slotPlan.ts';

/** Parameters with committees of 16 and subcommittees of 4 validators. */
const counts = { validators: 32, committees: 2, subcommittees: 4, aggregators: 2, collectors: 2 };
const parameters = { ...defaultHornParameters, ...counts };
const plan = planSlot({ parameters, nodeOf: Int32Array.from({ length: 32 }, (_, k) => k >> 2), degree: 3, seed: 1 });
const orders = { [HornTopic.subnet]: 0, [HornTopic.committee]: 2, [HornTopic.global]: 4 } as const;

function message(topic: HornTopic, author: number, signers: readonly number[]) {
  const scheme = new CountingScheme(new Tree(32, 'packed'));
  const aggregate = contributionOf(scheme, scheme.individual(author) >>> orders[topic], signers);
  const signed = topic === HornTopic.subnet ? noContribution : scheme.individual(author);
  const bytes = encodeHornMessage(scheme, { topic, author }, aggregate, signed);
  scheme.release(aggregate);
  return { scheme, bytes };
}

describe('a message of Horn on the wire', () => {
  it('decodes to the encoded topic, author, set and signatures', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(HornTopic.subnet, HornTopic.committee, HornTopic.global),
        fc.nat(31),
        fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }),
        (topic, author, chosen) => {
          const first = (author >> orders[topic]) << orders[topic];
          const signers = [...Array(2 ** orders[topic]).keys()].filter((k) => chosen[k]).map((k) => first + k);
          if (signers.length === 0) return;
          const { scheme, bytes } = message(topic, author, signers);
          expect(bytes.length).toBeLessThanOrEqual(longestHornMessageBytes(plan.parameters, 96));
          const read = decodeHornMessage(scheme, plan, bytes);
          if (!read.ok) throw new Error(read.code);
          expect([read.topic, read.author, signersOf(scheme, read.aggregate)]).toEqual([topic, author, signers]);
          expect(signersOf(scheme, read.signed)).toEqual([author]);
          scheme.release(read.aggregate);
          scheme.release(read.signed);
          expect(scheme.held).toBe(0);
        },
      ),
    );
  });

  it.each<[code: string, change: (bytes: Uint8Array) => Uint8Array]>([
    ['unknown-version', (bytes) => bytes.with(0, 2)],
    ['level-out-of-range', (bytes) => bytes.with(1, 0)],
    ['level-out-of-range', (bytes) => bytes.with(1, 4)],
    ['sender-out-of-range', (bytes) => bytes.with(4, 32)],
    ['sender-out-of-range', (bytes) => bytes.with(2, 0xff)],
    ['unknown-set-form', (bytes) => bytes.with(5, 2)],
    ['empty-set', (bytes) => bytes.with(6, 0)],
    ['bit-beyond-end', (bytes) => bytes.with(6, 0x10)],
    ['unknown-set-form', (bytes) => bytes.with(5 + 2 + 96, 9)],
    ['trailing-bytes', (bytes) => Uint8Array.of(...bytes, 0)],
  ])('is refused with the code %s', (code, change) => {
    const { scheme, bytes } = message(HornTopic.committee, 5, [4, 6]);
    expect(decodeHornMessage(scheme, plan, change(bytes))).toEqual({ ok: false, code });
    expect(scheme.held).toBe(0);
  });

  it('is truncated at every shorter length, and never throws', () => {
    for (const topic of Object.values(HornTopic)) {
      const { scheme, bytes } = message(topic, 5, [5]);
      for (let length = 0; length < bytes.length; length++)
        expect(decodeHornMessage(scheme, plan, bytes.subarray(0, length))).toEqual({ ok: false, code: 'truncated' });
      expect(scheme.held).toBe(0);
    }
    const { scheme } = message(HornTopic.subnet, 1, [1]);
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => void decodeHornMessage(scheme, plan, bytes)));
  });

  it('the signed bytes of an author include the session, and no validator votes for such bytes', () => {
    const { bytes } = message(HornTopic.committee, 5, [4, 6]);
    const [one, other] = [1, 2].map((session) => hornStatement(new Uint8Array(32).fill(session), bytes));
    expect(one).not.toEqual(other);
    expect(looksLikeIdentity(one!)).toBe(true);
    expect(looksLikeIdentity(new TextEncoder().encode('slot 1'))).toBe(false);
  });
});
