import { published } from '@tutti/lab';
import { expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { completionWords, publishedBeside } from './completionWords.ts';

it('stands beside the published sizes next to its own (v1.03 section 7)', () => {
  const sizes = (nodes: number) => publishedBeside(published.handel, nodes).map((row) => row.nodes);
  expect(sizes(64)).toEqual([100]);
  expect(sizes(500)).toEqual([500]);
  expect(sizes(700)).toEqual([500, 1000]);
  expect(sizes(9000)).toEqual([4000]);
});

it('says how long it took, and in what the run is unlike the published ones', () => {
  const recording = recordedRun({ nodes: 32, network: 'cities' });
  const words = completionWords(recording, publishedBeside(published.handel, 32));
  expect(words).toContain(`${recording.result.timeToThresholdMs.max.toFixed(0)}\u00a0ms`);
  expect(words).toContain('another network, cities');
  expect(completionWords(recording, [])).not.toContain('published');
});
