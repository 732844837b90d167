import { expect, it } from 'vitest';
import { seedWords } from './seedText.ts';

it('says where the seeds are, where this run is, and how many never finish', () => {
  expect(seedWords([300, 310.4, 290], 310.4)).toBe(
    '3 seeds: the last node takes 290 to 310 ms. This run, ringed, takes 310 ms.',
  );
  expect(seedWords([300, undefined], undefined)).toBe(
    '2 seeds: the last node takes 300 to 300 ms, and in 1 some nodes never finish.',
  );
  expect(seedWords([undefined, undefined], undefined)).toBe('2 seeds: in 2 some nodes never finish.');
});
