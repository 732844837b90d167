import { expect, it } from 'vitest';
import { checksAt, inLevelAt, stepsUntil } from '../timeline/nodeStory.ts';
import { LiveStory } from './liveStory.ts';

/** Creates the story of node 2 of 6, with peers 3 on level 1, 0 and 1 on level 2, and 4 and 5 on level 3. */
function lived(): LiveStory {
  const story = new LiveStory(6, 2, 4);
  story.add({ what: 'sent', peer: 3, level: 1, timeUs: 5 });
  story.add({ what: 'received', peer: 1, level: 2, timeUs: 10 });
  story.add({ what: 'checking', peer: 1, level: 2, timeUs: 20 });
  story.add({ what: 'checked', level: 0, timeUs: 30 });
  story.add({ what: 'improved', level: 2, held: [1], timeUs: 30 });
  story.add({ what: 'checking', peer: 5, level: 3, timeUs: 40 });
  return story;
}

it('shows the members in each level at each time', () => {
  const story = lived().story();
  expect(inLevelAt(story, 2, 29).weight).toBe(0);
  const level = inLevelAt(story, 2, 30);
  expect([level.weight, level.has(0), level.has(1)]).toEqual([1, false, true]);
  expect(inLevelAt(story, 3, 100).weight).toBe(0);
});

it('shows the current checks: those of a batch end together, and the last one continues', () => {
  const live = lived();
  const checkedAt = (timeUs: number) => {
    const story = live.story();
    return checksAt(story, timeUs).map((line) => story.recording.peer[line]);
  };
  expect([19, 20, 29, 30, 1000].map(checkedAt)).toEqual([[], [1], [1], [], [5]]);
  live.add({ what: 'checking', peer: 4, level: 3, timeUs: 40 });
  live.add({ what: 'checked', level: 0, timeUs: 50 });
  expect([49, 50].map((timeUs) => checkedAt(timeUs).length)).toEqual([2, 0]);
});

it('shows the received contributions, and grows up to a maximum', () => {
  expect(stepsUntil(lived().story(), 15)).toBe(2);
  const story = new LiveStory(2, 0, 1);
  for (let timeUs = 0; timeUs < 30_000; timeUs++) story.add({ what: 'received', peer: 1, level: 1, timeUs });
  const { recording, steps } = story.story();
  expect(recording.length).toBe(20_000);
  expect(steps.at(-1)).toMatchObject({ timeUs: 19_998, what: 'arrival' });
});
