import { describe, expect, it } from 'vitest';
import { firstStory, left, linked, neared, storyView, touched, waitingIn, withChapter } from './storyState.ts';

const state = firstStory(['race', 'doubling', 'desk']);
const link = { chapter: 'doubling', shows: { nodes: 64 }, atMs: 12 } as const;

describe('storyView', () => {
  it('begins at the last time of the active chapter, and at 0 by default', () => {
    expect(storyView(state, false)).toEqual({ chapter: 'race', condition: 'running', atUs: 0 });
    const there = left({ ...state, active: 'doubling' }, 'doubling', 7000);
    expect(storyView(there, true)).toEqual({ chapter: 'doubling', condition: 'ready', atUs: 7000 });
    expect(storyView({ ...there, active: 'race' }, true).atUs).toBe(0);
  });
});

describe('linked', () => {
  it('keeps the time and settings of a link until its run is loaded', () => {
    const { asked, clock } = linked(state, link, true).chapters.doubling!;
    expect({ asked, clock }).toEqual({ asked: { nodes: 64 }, clock: { kind: 'linked', atMs: 12 } });
  });

  it('starts again for a link without a time, and changes nothing for one with a chapter only', () => {
    const before = left(state, 'doubling', 7000);
    const anew = linked(before, { ...link, atMs: undefined }, true);
    expect(anew.chapters.doubling!.clock.kind).toBe('unplayed');
    expect(linked(before, { ...link, atMs: undefined }, false)).toBe(before);
  });
});

describe('touched', () => {
  const held = { ...state, hold: { y: 100 } } as const;

  it.each([
    ['a scroll', false, 'none', 'none'],
    ['a key at a control of a step', false, 'ofStep', 'control'],
    ['a press on a control of a step', true, 'ofStep', 'control'],
    ['a press on a link in a step', true, 'link', 'none'],
  ] as const)('returns the step after %s', (_, isPress, control, hold) => {
    expect(touched(held, { isPress, control }).hold).toBe(hold);
  });

  it('the step of a used control becomes active; a scroll leaves this to the text', () => {
    const step = { chapter: 'desk', place: 3 } as const;
    expect(touched(held, { isPress: true, control: 'ofStep', step }).step).toEqual(step);
    expect(touched(held, { isPress: false, control: 'none', step }).step).toBe(held.step);
  });

  it('a press on a control elsewhere does not scroll', () => {
    expect(touched(held, { isPress: true, control: 'elsewhere' })).toBe(held);
  });
});

describe('neared', () => {
  it('chapters wait only until the first picture is complete', () => {
    const loading = withChapter(state, 'race', { stage: 'loading' });
    expect(waitingIn(neared(neared(loading, 'race'), 'desk'))).toEqual(['desk']);
    expect(waitingIn(neared({ ...state, isOpening: false }, 'desk'))).toEqual([]);
  });
});
