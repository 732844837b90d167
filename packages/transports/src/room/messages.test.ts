import { identityStatement } from '@tutti/core';
import { expect, it } from 'vitest';
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
const start = { type: 'start', number: 3, members: [ann, ben], message: 'yes', share: 1, beacon } as const;

it.each([{ type: 'propose', message: 'yes', share: 0.66 } as const, start, { ...start, phaseMs: 2000 }])(
  'decodeLeaderMessage reads %j, without unknown fields',
  (message) => expect(decodeLeaderMessage(encodeLeaderMessage({ ...message, more: 1 } as never))).toEqual(message),
);

const registry = (size: number) => Array.from({ length: size }, (_, at) => at.toString(16).padStart(64, '0'));

it.each<[field: string, accepted: readonly unknown[], refused: readonly unknown[]]>([
  ['message', ['y', 'y'.repeat(200)], ['y'.repeat(201), 7, '', 'two\nlines']],
  ['share', [Number.MIN_VALUE, 1], [0, null, -0.5, 1 + Number.EPSILON, '1']],
  ['number', [0, 2 ** 53 - 1], [2 ** 53, 0.5, undefined, -1]],
  ['members', [[ann], registry(maxMembers)], [[], [ben, ann], ['ann'], [ann, 7], registry(maxMembers + 1)]],
  ['members', [], [{ length: 1, 0: ann }, [ann, ben, ben]]],
  ['phaseMs', [undefined, 100, 60_000], [99, 60_001, 100.5, '100', null]],
  ['beacon', ['f'.repeat(64)], ['f'.repeat(63), 'f'.repeat(65), 'F'.repeat(64), 7, undefined]],
  ['type', [], [undefined, 'stop']],
])('decodeLeaderMessage accepts values of %s at their limits and refuses others', (field, accepted, refused) => {
  const isRead = (value: unknown) => decodeLeaderMessage(JSON.stringify({ ...start, [field]: value })) !== undefined;
  expect(accepted.filter((value) => !isRead(value))).toEqual([]);
  expect(refused.filter(isRead)).toEqual([]);
});

it.each(['', '7', '"x"', 'null', '[]', 'true', `[${JSON.stringify(start)}]`])('the decoders refuse %.20s', (text) => {
  expect(decodeLeaderMessage(text)).toBeUndefined();
  expect(decodeHeartbeat(text)).toBeUndefined();
  if (text !== '' && text !== 'null') expect(decodeHeartbeat(`{ "awake": true, "progress": ${text} }`)).toBeUndefined();
});

it('a leader cannot propose the statement of an identity', () => {
  const statement = new TextDecoder('latin1').decode(identityStatement(new Uint8Array(48), new Uint8Array(32)));
  expect(isMessage(statement)).toBe(false);
  expect(isMessage('tutti identity v1')).toBe(true);
});

const progress: MemberProgress = {
  ...{ round: 1, weight: 3, sent: 4, received: 5, checked: 6, reachedMs: null },
  levels: [
    [1, 1],
    [1, 2],
  ],
};

it.each([
  { awake: true, progress: null },
  { awake: false, progress },
  { awake: true, progress, answer: 0 },
  { awake: true, progress: null, answer: maxAnswers - 1 },
  { awake: true, progress: { ...progress, reachedMs: 7 } },
])('decodeHeartbeat reads %j, without unknown fields', (beat) => {
  const more = { ...beat, progress: beat.progress && { ...beat.progress, more: 1 }, more: 1 };
  expect(decodeHeartbeat(encodeHeartbeat(more))).toEqual(beat);
});

const levels = (count: number) => Array.from({ length: count }, () => [1, 1]);
const maxPeers = maxMembers * validatorsPerMember;
const numbers = ['round', 'weight', 'sent', 'received', 'checked'];

it.each<[field: string, accepted: readonly unknown[], refused: readonly unknown[]]>([
  ['levels', [[], levels(7), [[2, 2]], [[0, maxPeers]]], [levels(8), [[0, maxPeers + 1]], [[0.5, 1]], [[0, 1.5]]]],
  ['levels', [], [[[0, 1, 2]], [{ length: 2, 0: 1, 1: 1 }], [[1, 1], []], [[3, 2]], [[1]], { length: 0 }]],
  ['reachedMs', [0, null], ['soon', -1, undefined]],
  ...numbers.map((field): [string, unknown[], unknown[]] => [field, [0], [1.5, -1, undefined]]),
])('decodeHeartbeat accepts values of %s at their limits and refuses others', (field, accepted, refused) => {
  const isRead = (value: unknown) =>
    decodeHeartbeat(JSON.stringify({ awake: true, progress: { ...progress, [field]: value } })) !== undefined;
  expect(accepted.filter((value) => !isRead(value))).toEqual([]);
  expect(refused.filter(isRead)).toEqual([]);
});

it.each([
  { awake: 1 },
  { awake: undefined },
  { progress: undefined },
  ...[-1, maxAnswers, 0.5, null, '1'].map((answer) => ({ answer })),
])('decodeHeartbeat refuses %j', (fields) => {
  expect(decodeHeartbeat(JSON.stringify({ awake: true, progress: null, ...fields }))).toBeUndefined();
});
