import { defaultHornParameters as post } from '@tutti/core/horn';
import { globalTopicLoad } from '@tutti/core/horn-rules';
import { expect, it } from 'vitest';
import { hornMessageBytes } from '../costs.ts';

it('has the message lengths of the tables with two signatures ("A strawman proposal")', () => {
  const bytes = hornMessageBytes(post);
  expect(bytes).toEqual({ vote: 64 + 96, aggregate: 64 + 192, collection: 4096 + 192 });
  for (const [system, length] of [
    ['strawman', bytes.aggregate],
    ['horn', bytes.collection],
  ] as const) {
    const load = globalTopicLoad(system, post, 2);
    expect(load.messages * length).toBe(load.bytes);
  }
});
