import { identityStatement } from '@tutti/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxMembers } from '../signalling/messages.ts';
import { validatorsPerMember } from './card.ts';
import {
  decodeHeartbeat,
  decodeLeaderMessage,
  encodeHeartbeat,
  encodeLeaderMessage,
  isMessage,
  type MemberProgress,
  maxAnswers,
} from './messages.ts';

const beacon = '7'.repeat(64);
const [ann, ben] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];

describe('decodeLeaderMessage', () => {
  it.each([
    { type: 'propose', message: 'yes', share: 0.66 },
    { type: 'start', number: 3, members: [ann, ben], message: 'yes', share: 1, beacon },
    { type: 'start', number: 3, members: [ann, ben], message: 'yes', share: 1, beacon, phaseMs: 2000 },
  ] as const)('reads $type', (message) => {
    expect(decodeLeaderMessage(encodeLeaderMessage({ ...message, more: 1 } as never))).toEqual(message);
  });
});

it('decodeLeaderMessage accepts values at their limits and refuses larger ones', () => {
  const start = { type: 'start', number: 0, members: [ann], message: 'yes', share: 1, beacon };
  const registry = (size: number) => Array.from({ length: size }, (_, at) => at.toString(16).padStart(64, '0'));
  for (const [fields, isOne] of [
    [{}, true],
    [{ message: 'y' }, true],
    [{ message: 'y'.repeat(200) }, true],
    [{ message: 'y'.repeat(201) }, false],
    [{ message: 7 }, false],
    [{ message: '' }, false],
    [{ message: 'two\nlines' }, false],
    [{ share: 0 }, false],
    [{ share: null }, false],
    [{ share: Number.MIN_VALUE }, true],
    [{ share: -0.5 }, false],
    [{ share: 1 + Number.EPSILON }, false],
    [{ share: '1' }, false],
    [{ number: 2 ** 53 - 1 }, true],
    [{ number: 2 ** 53 }, false],
    [{ number: 0.5 }, false],
    [{ number: undefined }, false],
    [{ number: -1 }, false],
    [{ members: [] }, false],
    [{ members: [ben, ann] }, false],
    [{ members: ['ann'] }, false],
    [{ members: [ann, 7] }, false],
    [{ members: registry(maxMembers) }, true],
    [{ members: registry(maxMembers + 1) }, false],
    [{ members: { length: 1, 0: ann } }, false],
    [{ members: [ann, ben, ben] }, false],
    [{ phaseMs: 100 }, true],
    [{ phaseMs: 99 }, false],
    [{ phaseMs: 60_000 }, true],
    [{ phaseMs: 60_001 }, false],
    [{ phaseMs: 100.5 }, false],
    [{ phaseMs: '100' }, false],
    [{ phaseMs: null }, false],
    [{ beacon: 'f'.repeat(64) }, true],
    [{ beacon: 'f'.repeat(63) }, false],
    [{ beacon: 'f'.repeat(65) }, false],
    [{ beacon: 'F'.repeat(64) }, false],
    [{ beacon: 7 }, false],
    [{ beacon: undefined }, false],
    [{ type: undefined }, false],
    [{ type: 'stop' }, false],
  ] as const) {
    const text = JSON.stringify({ ...start, ...fields });
    expect(decodeLeaderMessage(text) !== undefined, text.slice(0, 120)).toBe(isOne);
  }
  for (const text of ['', '7', '"propose"', 'null', '[]', `[${JSON.stringify(start)}]`])
    expect(decodeLeaderMessage(text)).toBeUndefined();
});

it('a leader cannot propose the statement of an identity', () => {
  const statement = new TextDecoder('latin1').decode(identityStatement(new Uint8Array(48), new Uint8Array(32)));
  expect(isMessage(statement)).toBe(false);
  expect(isMessage('tutti identity v1')).toBe(true);
});

const progress: MemberProgress = {
  round: 1,
  weight: 3,
  levels: [
    [1, 1],
    [1, 2],
  ],
  sent: 4,
  received: 5,
  checked: 6,
  reachedMs: null,
};

describe('decodeHeartbeat', () => {
  it.each([
    { awake: true, progress: null },
    { awake: false, progress },
    { awake: true, progress, answer: 0 },
    { awake: true, progress: null, answer: maxAnswers - 1 },
    { awake: true, progress: { ...progress, reachedMs: 7 } },
  ])('reads %j', (beat) => {
    expect(decodeHeartbeat(encodeHeartbeat(beat))).toEqual(beat);
  });
});

it('decodeHeartbeat accepts values at their limits and refuses larger ones', () => {
  const levels = (count: number) => Array.from({ length: count }, () => [1, 1]);
  for (const [fields, isOne] of [
    [{}, true],
    [{ levels: [] }, true],
    [{ levels: levels(7) }, true],
    [{ levels: levels(8) }, false],
    [{ levels: [[2, 2]] }, true],
    [{ levels: [[0, maxMembers * validatorsPerMember]] }, true],
    [{ levels: [[0, maxMembers * validatorsPerMember + 1]] }, false],
    [{ levels: [[0.5, 1]] }, false],
    [{ levels: [[0, 1.5]] }, false],
    [{ levels: [[0, 1, 2]] }, false],
    [{ levels: [{ length: 2, 0: 1, 1: 1 }] }, false],
    [{ levels: [[1, 1], []] }, false],
    [{ levels: [[3, 2]] }, false],
    [{ levels: [[1]] }, false],
    [{ sent: 1.5 }, false],
    [{ reachedMs: 'soon' }, false],
    [{ levels: { length: 0 } }, false],
    [{ reachedMs: 0 }, true],
    [{ reachedMs: -1 }, false],
    [{ reachedMs: undefined }, false],
    ...(['round', 'weight', 'sent', 'received', 'checked'] as const).flatMap(
      (field) =>
        [
          [{ [field]: 0 }, true],
          [{ [field]: -1 }, false],
          [{ [field]: undefined }, false],
        ] as const,
    ),
  ] as const) {
    const text = JSON.stringify({ awake: true, progress: { ...progress, ...fields } });
    expect(decodeHeartbeat(text) !== undefined, text).toBe(isOne);
  }
  for (const fields of [
    { awake: 1 },
    { awake: undefined },
    ...[-1, maxAnswers, 0.5, null, '1'].map((answer) => ({ answer })),
  ])
    expect(
      decodeHeartbeat(JSON.stringify({ awake: true, progress: null, ...fields })),
      JSON.stringify(fields),
    ).toBeUndefined();
  expect(decodeHeartbeat('{"awake":true}')).toBeUndefined();
  for (const of of ['7', '"x"', '[]', 'true'])
    expect(decodeHeartbeat(`{ "awake": true, "progress": ${of} }`), of).toBeUndefined();
});

it('a decoded heartbeat or message contains only its own fields', () => {
  expect(decodeHeartbeat(JSON.stringify({ awake: true, progress: { ...progress, more: 1 }, more: 1 }))).toEqual({
    awake: true,
    progress,
  });
});

it('the decoders throw for no text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      decodeHeartbeat(text);
      decodeLeaderMessage(text);
    }),
  );
});
