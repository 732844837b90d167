import { Tree } from '@tutti/core';
import { LineKind, protocolNames, type Scenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { count } from '../formatNumber.ts';
import { nodeStory } from '../timeline/nodeStory.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { chapters } from './chapters.ts';
import { pieces } from './explanation.ts';

describe('chapters', () => {
  it.each([8, 13, 64, 100])('describe the run of each of %i nodes in order, in defined terms', (nodes) => {
    const index = runIndex(recordedRun({ nodes, dead: 0.2, seed: 3 }), true);
    for (const id of upTo(nodes)) {
      const all = chapters(index, nodeStory(index, id));
      const times = all.map((chapter) => chapter.timeUs);
      expect(times[0]).toBe(0);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
      for (const { text } of all) expect(() => pieces(text)).not.toThrow();
    }
  });

  it.each([2, 4, 8] as const)(
    'state for a complete level the received and sent contributions, with %i children per node',
    (branching) => {
      const recording = recordedRun({ nodes: 64, branching, seed: 1 });
      const index = runIndex(recording, true);
      const { kind, node, level, timeUs, value, scenario } = recording;
      const tree = new Tree(64, scenario.tree, branching);
      let all = 0;
      for (const id of upTo(64)) {
        const chapter = chapters(index, nodeStory(index, id)).find(({ text }) =>
          text.includes('of its side of the tree'),
        );
        if (chapter === undefined) continue;
        all++;
        const [, size, , first] =
          /all (\d+) signatures of its side.* up to \[\[level]] (\d+)\. .* peers of levels? (\d+)/.exec(chapter.text)!;
        expect(Number(size)).toBe(tree.size(tree.ownBlock(id, Number(first))));
        const sent = upTo(recording.length).filter((line) => kind[line] === LineKind.send && node[line] === id);
        const now = sent.filter((line) => timeUs[line] === chapter.timeUs && level[line]! >= Number(first));
        expect(now.length).toBeGreaterThan(0);
        for (const line of now.filter((line) => tree.firstOfTier(level[line]!) === Number(first)))
          expect(value[line]).toBe(Number(size));
        expect(chapter.text).not.toMatch(branching === 2 ? /to \d+ by/ : /doubles/);
      }
      expect(all).toBeGreaterThan(30);
    },
  );

  it('name no disabled mechanism', () => {
    const attacks = [{ name: 'invalid', share: 0.3 }];
    const textOf = (chosen: Partial<Scenario>, id = 40) => {
      const index = runIndex(recordedRun({ nodes: 64, seed: 1, attacks, ...chosen }), true);
      return chapters(index, nodeStory(index, id))
        .map(({ text }) => text)
        .join('\n');
    };
    // The invalid contributions never end.
    expect(textOf({ nodes: 16, without: ['blacklist'] }, 12)).toContain('keeps verifying contributions of node 2');
    expect(textOf({ without: ['window'] })).not.toContain('[[window]]');
    expect(textOf({ without: ['score'] })).not.toMatch(/\[\[(score|window)]]/);
    expect(textOf({ fastPath: 0, attacks: [] })).not.toContain('[[fast path]]');
    expect(textOf({ backOff: true })).toContain('while it has something new');
    expect(textOf({ branching: 4 })).toContain(
      'Every 3 [[level|levels]] multiply the number of signatures that it can hold by 4',
    );
  });

  it('count the nodes that are live and honest, with any number of failed or Byzantine ones', () => {
    const first = (chosen: Partial<Scenario>) => {
      const index = runIndex(recordedRun({ nodes: 64, ...chosen }), true);
      const all = chapters(index, nodeStory(index, index.recording.world.alive.indexOf(1)));
      return [all[0]!.text, all.at(-1)!.text].join(' ');
    };
    expect(first({})).toMatch(/^64 nodes have signed.* All 64 nodes hold/s);
    expect(first({ dead: 0.9 })).toMatch(/^7 working nodes have signed.* All 7 working nodes hold/s);
    expect(first({ attacks: [{ name: 'invalid', share: 0.4 }] })).toMatch(
      /^39 honest nodes have signed.* All 39 honest/s,
    );
  });

  it('begin with one node and end with all nodes', () => {
    const index = runIndex(recordedRun({ nodes: 64 }), true);
    const titles = chapters(index, nodeStory(index, 5)).map((chapter) => chapter.title);
    expect(titles[0]).toBe('Alone');
    expect(titles.at(-1)).toBe('Everyone');
    expect(titles).toContain('Threshold');
  });

  it('begin at different microseconds, so that each is reachable', () => {
    for (const protocol of protocolNames) {
      const index = runIndex(recordedRun({ nodes: 64, protocol }), true);
      for (const id of upTo(64)) {
        const times = chapters(index, nodeStory(index, id)).map((chapter) => chapter.timeUs);
        expect(new Set(times).size).toBe(times.length);
      }
    }
  });

  it.each(['complete-graph', 'san-fermin', 'gossip'] as const)(
    'describe a run of %s without Handel’s mechanisms',
    (protocol) => {
      const index = runIndex(recordedRun({ nodes: 32, protocol }), true);
      const text = chapters(index, nodeStory(index, 3))
        .map((chapter) => chapter.text)
        .join(' ');
      expect(text).not.toMatch(/\[\[(window|fast path|rank|dissemination period|blacklist)/);
      expect(text).toMatch(/All 32 nodes|of 32 nodes/);
    },
  );

  it('state what Handel saves at 64 nodes: checks, not messages', () => {
    const index = runIndex(recordedRun({ nodes: 64 }), true);
    const { messagesSent, checked } = index.recording.result;
    const [alone] = chapters(index, nodeStory(index, 5));
    expect(alone!.text).toContain('63 messages and 63 checks');
    expect(alone!.text).toContain(`${Math.round(messagesSent.mean)} messages and ${checked.mean.toFixed(1)} checks`);
  });

  it('name the victim of a flood', () => {
    const index = runIndex(recordedRun({ nodes: 64, attacks: [{ name: 'flood', share: 0.3 }] }), true);
    const { max, mean } = index.recording.result.messagesReceived;
    expect(max).toBeGreaterThan(4 * mean);
    const end = chapters(index, nodeStory(index, index.recording.world.alive.indexOf(1))).at(-1)!;
    expect(end.text).toMatch(new RegExp(`Node \\d+ received ${count(max)} messages`));
  });

  it('name the victim that an attack excluded from the others', () => {
    const end = (name: string, without: Scenario['without'] = []) => {
      const index = runIndex(recordedRun({ nodes: 64, attacks: [{ name, share: 0.3 }], without }), true);
      return chapters(index, nodeStory(index, index.recording.world.alive.indexOf(1))).at(-1)!.text;
    };
    expect(end('censor', ['individual-contributions'])).toMatch(
      /Node \d+ was excluded: only 5 of the other 44 honest nodes’ \[\[multi-signature\|multi-signatures\]\]/,
    );
    expect(end('censor')).toMatch(/Node \d+ was excluded: only 28 of/);
    expect(end('invalid')).toContain('The attackers excluded no node and flooded no node.');
  });

  it('have no end while the run continues', () => {
    const index = runIndex(recordedRun({ nodes: 64 }), false);
    const titles = chapters(index, nodeStory(index, 5)).map((chapter) => chapter.title);
    expect(titles).not.toContain('Everyone');
  });

  it('consist of one chapter for a dead node', () => {
    const index = runIndex(recordedRun({ nodes: 32, dead: 0.3 }), true);
    const story = nodeStory(index, index.recording.world.alive.indexOf(0));
    expect(chapters(index, story).map((chapter) => chapter.title)).toEqual(['Dead']);
  });
});
