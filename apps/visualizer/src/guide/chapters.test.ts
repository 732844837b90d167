import { Tree } from '@tutti/core';
import { LineKind, protocolNames, type Scenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { indexedRun, recordedRun, upTo } from '../../test/recordedRun.ts';
import { count } from '../formatNumber.ts';
import { nodeStory } from '../timeline/nodeStory.ts';
import { runIndex } from '../timeline/runIndex.ts';
import { chapters } from './chapters.ts';
import { pieces } from './explanation.ts';

const ofHandel = /\[\[(window|fast path|rank|dissemination period|blacklist)/;

it.each([8, 13, 64, 100])('chapters describe the run of each of %i nodes in order, in defined terms', (nodes) => {
  const index = indexedRun({ nodes, dead: 0.2, seed: 3 });
  for (const id of upTo(nodes)) {
    const all = chapters(index, nodeStory(index, id));
    const times = all.map((chapter) => chapter.timeUs);
    expect(times[0]).toBe(0);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const { text } of all) expect(() => pieces(text)).not.toThrow();
  }
});

it.each([2, 4, 8] as const)(
  'chapters state for a complete level the received and sent contributions, with %i children per node',
  (branching) => {
    const recording = recordedRun({ nodes: 64, branching, seed: 1 });
    const index = runIndex(recording, true);
    const { kind, node, level, timeUs, value, scenario } = recording;
    const tree = new Tree(64, scenario.tree, branching);
    let all = 0;
    for (const id of upTo(64)) {
      const told = chapters(index, nodeStory(index, id));
      const chapter = told.find(({ text }) => text.includes('from its side of the tree'));
      if (chapter === undefined) continue;
      all++;
      const [, size, , first] =
        /all (\d+) signatures from its side.* up to \[\[level]] (\d+)\. .* peers of levels? (\d+)/.exec(chapter.text)!;
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

it('chapters name no disabled mechanism', () => {
  const attacks = [{ name: 'invalid', share: 0.3 }];
  const textOf = (chosen: Partial<Scenario>, id = 40) => {
    const index = indexedRun({ nodes: 64, seed: 1, attacks, ...chosen });
    return chapters(index, nodeStory(index, id))
      .map(({ text }) => text)
      .join('\n');
  };
  // The attackers never stop sending invalid contributions.
  expect(textOf({ nodes: 16, without: ['blacklist'] }, 12)).toContain('keeps verifying contributions from node 2');
  expect(textOf({ without: ['window'] })).not.toContain('[[window]]');
  expect(textOf({ without: ['score'] })).not.toMatch(/\[\[(score|window)]]/);
  expect(textOf({ fastPath: 0, attacks: [] })).not.toContain('[[fast path]]');
  expect(textOf({ backOff: true })).toContain('as long as it has something new to send');
  expect(textOf({ branching: 4 })).toContain(
    'Every 3 [[level|levels]] multiply the number of signatures that the node can hold by 4',
  );
});

it.each<[Partial<Scenario>, RegExp]>([
  [{}, /^64 nodes have signed.* All 64 nodes hold/s],
  [{ dead: 0.9 }, /^7 working nodes have signed.* All 7 working nodes hold/s],
  [{ attacks: [{ name: 'invalid', share: 0.4 }] }, /^39 honest nodes have signed.* All 39 honest/s],
])('chapters count the nodes that are live and honest: %j', (chosen, words) => {
  const index = indexedRun({ nodes: 64, ...chosen });
  const all = chapters(index, nodeStory(index, index.recording.world.role.indexOf(1)));
  expect(`${all[0]!.text} ${all.at(-1)!.text}`).toMatch(words);
});

it('chapters begin at different microseconds, so that each is reachable, from one node to all nodes', () => {
  for (const protocol of protocolNames) {
    const index = indexedRun({ nodes: 64, protocol });
    for (const id of upTo(64)) {
      const all = chapters(index, nodeStory(index, id));
      const [times, titles] = [all.map(({ timeUs }) => timeUs), all.map(({ title }) => title)];
      expect(new Set(times).size).toBe(times.length);
      expect(titles.join()).toMatch(/^Alone,.*everyone$/i);
      // A baseline has none of Handel's mechanisms.
      if (protocol !== 'handel') expect(all.map(({ text }) => text).join()).not.toMatch(ofHandel);
    }
  }
});

it('chapters state what Handel saves at 64 nodes: checks, not messages', () => {
  const index = indexedRun({ nodes: 64 });
  const { messagesSent, checked } = index.recording.result;
  const [alone] = chapters(index, nodeStory(index, 5));
  expect(alone!.text).toContain('63 messages and 63 checks');
  expect(alone!.text).toContain(`${Math.round(messagesSent.mean)} messages and ${checked.mean.toFixed(1)} checks`);
});

it('chapters name the victim that an attack flooded, or excluded from the others', () => {
  const end = (name: string, without: Scenario['without'] = [], sends = true) => {
    const run = recordedRun({ nodes: 64, attacks: [{ name, share: 0.3 }], without });
    const index = runIndex({ ...run, sends }, true);
    const { text } = chapters(index, nodeStory(index, index.recording.world.role.indexOf(1))).at(-1)!;
    return { text, received: index.recording.result.messagesReceived };
  };
  const flood = end('flood');
  expect(flood.received.max).toBeGreaterThan(4 * flood.received.mean);
  expect(flood.text).toMatch(new RegExp(`Node \\d+ received ${count(flood.received.max)} messages`));
  expect(end('flood', [], false).text).toContain(`One honest node received ${count(flood.received.max)} messages`);
  expect(end('censor', ['individual-contributions']).text).toMatch(
    /Node \d+ was excluded: only 5 of the other 44 honest nodes’/,
  );
  expect(end('censor').text).toMatch(/Node \d+ was excluded: only 28 of/);
  expect(end('invalid').text).toContain('The attackers neither excluded nor flooded any node.');
});

it('chapters have no end while the run continues, and are one for a dead node or one that a fault stops', () => {
  const running = indexedRun({ nodes: 64 }, false);
  expect(chapters(running, nodeStory(running, 5)).map(({ title }) => title)).not.toContain('Everyone');
  const index = indexedRun({ nodes: 32, dead: 0.3 });
  expect(chapters(index, nodeStory(index, index.recording.world.role.indexOf(0)))).toMatchObject([{ title: 'Dead' }]);
  const stopped = indexedRun({ nodes: 16, faults: [{ kind: 'crash', nodes: [5], atMs: 90 }] });
  expect(chapters(stopped, nodeStory(stopped, 5))[0]!.text).toMatch(
    /^Node 5 stopped at 90\.0\sms and neither .*threshold]] of \d+\.$/,
  );
});
