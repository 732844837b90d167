import { expect, it } from 'vitest';
import { firstStory, left, linked, neared, stoppedUs, touched, waitingIn, withChapter } from './storyState.ts';

const state = firstStory(['race', 'doubling', 'desk']);
const link = { chapter: 'doubling', shows: { nodes: 64 }, atMs: 12 } as const;

it('a chapter continues at the time at which its clock was stopped, and begins at 0 by default', () => {
  const there = left(state, 'doubling', 7000);
  expect([stoppedUs(there, 'doubling'), stoppedUs(there, 'race')]).toEqual([7000, 0]);
  expect(stoppedUs(linked(there, link), 'doubling')).toBe(0);
});

it('a link’s time and settings wait for its run; a link without a time starts again', () => {
  const { asked, clock } = linked(state, link).chapters.doubling!;
  expect({ asked, clock }).toEqual({ asked: { nodes: 64 }, clock: { kind: 'linked', atMs: 12 } });
  const untimed = linked(left(state, 'doubling', 7000), { ...link, atMs: undefined });
  expect(untimed.chapters.doubling!.clock.kind).toBe('unplayed');
});

const held = { ...state, hold: { y: 100, top: 40 } } as const;
const step = { chapter: 'desk', place: 3 } as const;

it.each([
  ['a scroll', { input: 'scroll', control: 'none', step }, { hold: 'none', step: undefined }],
  [
    'a scroll over a control of a step',
    { input: 'scroll', control: 'ofStep', step },
    { hold: 'none', step: undefined },
  ],
  ['a key at a control of a step', { input: 'key', control: 'ofStep', step }, { hold: 'control', step }],
  ['a press on a control of a step', { input: 'press', control: 'ofStep', step }, { hold: 'control', step }],
  ['a press on a link in a step', { input: 'press', control: 'link', step }, { hold: 'none', step: undefined }],
  ['a press on a control elsewhere', { input: 'press', control: 'elsewhere' }, { hold: held.hold, step: undefined }],
] as const)('only a used control of a step makes its step active: %s', (_, touch, { hold, step }) => {
  expect(touched(held, touch)).toEqual({ ...held, hold, step });
});

it('chapters near the reader wait only until the first picture is complete', () => {
  const requested = withChapter(state, 'race', { stage: 'requested' });
  expect(waitingIn(neared(neared(requested, 'race'), 'desk'))).toEqual(['desk']);
  expect(waitingIn(neared({ ...state, isOpening: false }, 'desk'))).toEqual([]);
});
