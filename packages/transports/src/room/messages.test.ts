import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identityStatement } from '../identity.ts';
import { decodeBeat, decodeHostMessage, encodeBeat, encodeHostMessage, isMessage, type Progress } from './messages.ts';

const [ann, ben] = ['a', 'b'].map((digit) => digit.repeat(64)) as [string, string];

describe('decodeHostMessage', () => {
  it.each([
    { type: 'propose', message: 'yes', share: 0.66 },
    { type: 'start', number: 3, members: [ann, ben], message: 'yes', share: 1 },
  ] as const)('reads $type', (message) => {
    expect(decodeHostMessage(encodeHostMessage({ ...message, more: 1 } as never))).toEqual(message);
  });

  it.each([
    { type: 'propose', message: '', share: 0.5 },
    { type: 'propose', message: 'two\nlines', share: 0.5 },
    { type: 'propose', message: 'x'.repeat(201), share: 0.5 },
    { type: 'propose', message: 'yes', share: 0 },
    { type: 'propose', message: 'yes', share: 1.1 },
    { type: 'propose', message: 'yes', share: null },
    { type: 'start', number: -1, members: [ann], message: 'yes', share: 1 },
    { type: 'start', number: 1, members: [], message: 'yes', share: 1 },
    { type: 'start', number: 1, members: [ben, ann], message: 'yes', share: 1 },
    { type: 'start', number: 1, members: [ann, ann], message: 'yes', share: 1 },
    { type: 'start', number: 1, members: ['ann'], message: 'yes', share: 1 },
    { type: 'start', number: 1, members: [ann, 7], message: 'yes', share: 1 },
    { type: 'stop', message: 'yes', share: 1 },
    [],
    null,
  ])('refuses %.90j', (message) => {
    expect(decodeHostMessage(JSON.stringify(message))).toBeUndefined();
  });
});

it('nobody is asked to sign the statement of an identity', () => {
  const statement = new TextDecoder('latin1').decode(identityStatement(new Uint8Array(48), new Uint8Array(32)));
  expect(isMessage(statement)).toBe(false);
  expect(isMessage('tutti identity v1')).toBe(true);
});

const progress: Progress = {
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

describe('decodeBeat', () => {
  it.each([
    { awake: true, progress: null },
    { awake: false, progress },
    { awake: true, progress: { ...progress, reachedMs: 7 } },
  ])('reads %j', (beat) => {
    expect(decodeBeat(encodeBeat(beat))).toEqual(beat);
  });

  it.each([
    { progress: null },
    { awake: 1, progress: null },
    { awake: true },
    { awake: true, progress: { ...progress, weight: -1 } },
    { awake: true, progress: { ...progress, levels: [[3, 2]] } },
    { awake: true, progress: { ...progress, levels: [[1]] } },
    { awake: true, progress: { ...progress, levels: Array.from({ length: 8 }, () => [1, 1]) } },
    { awake: true, progress: { ...progress, sent: 1.5 } },
    { awake: true, progress: { ...progress, reachedMs: 'soon' } },
  ])('refuses %.90j', (beat) => {
    expect(decodeBeat(JSON.stringify(beat))).toBeUndefined();
  });
});

it('no text makes a decoder throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      decodeBeat(text);
      decodeHostMessage(text);
    }),
  );
});
