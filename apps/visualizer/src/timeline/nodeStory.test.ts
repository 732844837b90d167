import { peerSet } from '@tutti/core';
import { LineKind, NodeRole, type Recording, type Scenario } from '@tutti/simulation';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyMoment, indexedRun, recordedRun, sizes, upTo } from '../../test/recordedRun.ts';
import { checksAt, heardBy, inLevelAt, type NodeStory, nodeMessages, nodeStory, stepsUntil } from './nodeStory.ts';
import { nodeLines } from './runIndex.ts';

it('lists every message twice, with its sender and with its receiver, also lost ones', () => {
  const recording = recordedRun({ nodes: 16, faults: [{ kind: 'loss', share: 0.2 }], seed: 3 });
  const sends = upTo(recording.length).filter((line) => recording.kind[line] === LineKind.send);
  const all = upTo(16).map((id) => nodeMessages(recording, id));
  expect(sends.some((line) => recording.untilUs[line]! < 0)).toBe(true);
  expect(all.flatMap(({ went }) => [...went]).sort((a, b) => a - b)).toEqual(sends);
  expect(all.flatMap(({ came }) => [...came]).sort((a, b) => a - b)).toEqual(sends);
});

function storyOf(recording: Recording, id: number): NodeStory {
  return nodeStory({ recording, lines: nodeLines(recording) }, id);
}

it.each(sizes)('the stories of %i nodes list each step once, in order, and no arrival at a dead node', (nodes) => {
  const recording = recordedRun({ nodes, seed: nodes, dead: nodes > 12 ? 0.2 : 0 });
  const { kind, peer, world } = recording;
  const stories = upTo(nodes).map((id) => storyOf(recording, id));
  for (const { stepTimeUs } of stories) expect(stepTimeUs).toEqual(stepTimeUs.slice().sort());
  const lines = stories.flatMap(({ steps }) => steps.map(({ line }) => line)).sort((a, b) => a - b);
  const isStep = (line: number) => kind[line] !== LineKind.send || world.role[peer[line]!] === NodeRole.honest;
  expect(lines).toEqual(upTo(recording.length).filter(isStep));
});

it('In_level has as many ids as its weight, all of the peer set, and never fewer later', () => {
  const recording = recordedRun({ nodes: 100, dead: 0.1, seed: 9 });
  const id = recording.world.role.indexOf(1);
  const story = storyOf(recording, id);
  fc.assert(
    fc.property(anyMoment(recording), fc.nat(50_000), fc.integer({ min: 1, max: 7 }), (atUs, later, level) => {
      const { start, end } = peerSet(id, level, 100);
      const now = inLevelAt(story, level, atUs);
      const members = upTo(end - start).filter((bit) => now.has(bit));
      expect(members.length).toBe(now.weight);
      for (const bit of members) expect(recording.world.role[start + bit]).toBe(1);
      const from = Math.min(later % 70, end - start);
      expect(now.count(from, end - start)).toBe(members.filter((bit) => bit >= from).length);
      expect(now.count(0, from)).toBe(members.filter((bit) => bit < from).length);
      expect(inLevelAt(story, level, atUs + later).weight).toBeGreaterThanOrEqual(now.weight);
    }),
  );
});

it('the verification in progress is the check at a given time: v1.03 section 6 has one at a time', () => {
  const recording = recordedRun({ nodes: 64, seed: 6 });
  const story = storyOf(recording, 17);
  for (const line of story.checks) {
    expect(recording.kind[line]).toBe(LineKind.check);
    expect(checksAt(story, recording.timeUs[line]!)).toEqual([line]);
    const endUs = recording.untilUs[line]!;
    expect(checksAt(story, endUs - 1)).toEqual([line]);
    expect(checksAt(story, endUs)).not.toContain(line);
  }
  expect(checksAt(story, -1)).toEqual([]);
  expect(stepsUntil(story, -1)).toBe(0);
  expect(stepsUntil(story, story.stepTimeUs.at(-1)!)).toBe(story.steps.length);
});

it('the verification in progress is a whole batch if there are batches', () => {
  const recording = recordedRun({ nodes: 64, seed: 6, batch: 8, verifyMs: 50 });
  const { level, timeUs } = recording;
  const story = storyOf(recording, 17);
  const together = [...new Set([...story.checks].map((line) => timeUs[line]!))].map((us) => checksAt(story, us));
  expect(together.flat()).toEqual([...story.checks]);
  const largest = together.reduce((a, b) => (b.length > a.length ? b : a));
  expect(largest.length).toBeGreaterThan(2);
  expect(new Set(largest.map((line) => level[line])).size).toBe(largest.length);
});

const attacks = [{ name: 'censor', share: 0.3 }] as const;

it.each<Partial<Scenario>>([
  { nodes: 64, attacks, without: ['individual-contributions'] },
  { nodes: 64, attacks, branching: 4 },
  { nodes: 33, dead: 0.2 },
])('counts the honest nodes that have a contribution at the end: %o', (chosen) => {
  const index = indexedRun(chosen);
  const { world, scenario } = index.recording;
  const honest = upTo(world.nodes).filter((id) => world.role[id] === NodeRole.honest);
  const expected = new Int32Array(world.nodes);
  for (const id of honest) {
    const story = nodeStory(index, id);
    for (let level = 1; level <= world.levels; level++) {
      const { start, end } = peerSet(id, level, world.nodes, scenario.tree, scenario.branching);
      const inLevel = inLevelAt(story, level, index.endUs);
      for (let peer = start; peer < end; peer++)
        if (world.role[peer] === NodeRole.honest && inLevel.has(peer - start)) expected[peer]!++;
    }
  }
  expect(heardBy(index)).toEqual(expected);
  // Gossip has no levels.
  expect(heardBy(indexedRun({ nodes: 16, protocol: 'gossip' }))).toBeUndefined();
});
