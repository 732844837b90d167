import { peerSet } from '@tutti/core';
import { NodeRole, type Scenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { inLevelAt, nodeStory } from '../timeline/nodeStory.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { heardBy } from './heardBy.ts';

const attacks = [{ name: 'censor', share: 0.3 }] as const;
const runs: Partial<Scenario>[] = [
  { nodes: 64, attacks, without: ['individual-contributions'] },
  { nodes: 64, attacks, branching: 4 },
  { nodes: 33, dead: 0.2 },
];

it.each(runs)('counts the honest nodes that have a contribution at the end: %o', (chosen) => {
  const index = runIndex(recordedRun(chosen), true);
  const { world, scenario } = index.recording;
  const honest = upTo(world.nodes).filter((id) => world.alive[id] === NodeRole.honest);
  const expected = new Int32Array(world.nodes);
  for (const id of honest) {
    const story = nodeStory(index, id);
    for (let level = 1; level <= world.levels; level++) {
      const { start, end } = peerSet(id, level, world.nodes, scenario.tree, scenario.branching);
      const inLevel = inLevelAt(story, level, index.endUs);
      for (let peer = start; peer < end; peer++)
        if (world.alive[peer] === NodeRole.honest && inLevel.has(peer - start)) expected[peer]!++;
    }
  }
  expect(heardBy(index)).toEqual(expected);
});

it('is undefined for gossip, which has no levels', () => {
  expect(heardBy(runIndex(recordedRun({ nodes: 16, protocol: 'gossip' }), true))).toBeUndefined();
});
