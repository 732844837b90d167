import { defaultHornParameters, hornSystems, neverUs } from '@tutti/core/horn';
import { createSlot, defaultSlotScenario, type SlotRecording, type SlotScenario } from '@tutti/ethereum';
import { describe, expect, it } from 'vitest';
import { csvText } from '../files.ts';
import { phaseAt, phases } from './clockView.ts';
import { lostSinceUs, lostToEve, sentBy, VoterRole, votesOfAll, votesOfPlaces } from './fieldSlot.ts';
import { contentOf, slotChapters } from './postText.ts';
import { barUs, topicBars } from './slotChart.ts';
import { chartNumbers, fieldNumbers, lanesNumbers, slotIndex } from './slotIndex.ts';

/** Records a slot with two committees, each with four subcommittees of 64 members. */
function recorded(scenario: Partial<SlotScenario>): SlotRecording {
  const parameters = { ...defaultHornParameters, validators: 512, committees: 2, subcommittees: 4 };
  const slot = createSlot({ ...defaultSlotScenario, parameters, ...scenario }, { observers: 8 });
  while (slot.advance(1));
  return slot.recording();
}

describe.each(hornSystems)('slotIndex of %s', (system) => {
  const recording = recorded({ system, dead: 0.1, desyncMs: 400 });
  const index = slotIndex(recording);
  const { result } = recording;

  it('has the counts of the result at the end of the slot', () => {
    const { cast, inReach } = result.votes;
    expect(votesOfAll(index, index.clock.endUs)).toMatchObject({ voters: cast, cast, reach: inReach });
    expect(votesOfAll(index, 0)).toEqual({ voters: cast, cast: 0, seen: 0, reach: 0 });
  });

  it('reaches the threshold at the time of the result, and not before', () => {
    const atUs = index.blockReachUs!;
    expect(atUs / 1000).toBe(result.blockReachMs);
    const needed = Math.floor(result.votes.cast * 0.99);
    expect(votesOfAll(index, atUs).reach).toBeGreaterThanOrEqual(needed);
    expect(votesOfAll(index, atUs - 1).reach).toBeLessThan(needed);
  });

  it('has a mark for each of its own rounds and for the next block', () => {
    const { marks, track } = contentOf(index);
    const rounds = system === 'horn' ? ['votes', 'aggregates', 'collections'] : ['votes', 'aggregates'];
    expect(marks.map(({ label }) => label)).toEqual([...rounds, 'next block']);
    expect(marks.every(({ timeUs }) => timeUs <= track.spanUs)).toBe(true);
  });

  it('has committees and subcommittees that sum to the total', () => {
    const atUs = index.clock.attestUs + 300_000;
    const { cast, seen } = votesOfAll(index, atUs);
    for (const size of [index.committee, index.subcommittee]) {
      const starts = Array.from({ length: index.roles.length / size }, (_, group) => group * size);
      const groups = starts.map((from) => votesOfPlaces(index, from, from + size, atUs)!);
      const sum = (of: 'cast' | 'seen') => groups.reduce((all, votes) => all + votes[of], 0);
      expect([sum('cast'), sum('seen')]).toEqual([cast, seen]);
    }
    expect(cast).toBeGreaterThan(0);
    expect(cast).toBeLessThan(result.votes.cast);
    expect(votesOfPlaces(index, index.roles.length, index.roles.length + 64, atUs)).toBeUndefined();
  });

  it('has the counts of the result on the global topic', () => {
    const { messages, bytes } = result.topics.global;
    expect(index.topic.sentUs).toHaveLength(messages);
    expect(index.topic.messageBytes * messages).toBeCloseTo(bytes);
    const sets = system === 'horn' ? index.collections : index.aggregates;
    expect(sentBy(sets, 0, Number.POSITIVE_INFINITY, neverUs)).toBe(messages);
    const bars = topicBars(index.topic, barUs(index.spanUs, 100), neverUs);
    expect(bars.reduce((sum, { honest }) => sum + honest, 0)).toBe(index.topic.verifiedUs.length);
  });

  it('has consecutive rounds without a gap', () => {
    const all = phases(index);
    expect(all.map(({ fromUs }) => fromUs).slice(1)).toEqual(all.map(({ toUs }) => toUs).slice(0, -1));
    const name = system === 'horn' ? 'collections' : 'aggregates';
    expect(all.at(-1)).toMatchObject({ name, toUs: index.clock.endUs });
    expect(phaseAt(all, index.clock.attestUs)!.name).toBe('votes');
    expect(phaseAt(all, index.clock.endUs)).toBeUndefined();
  });

  it('is described in order, with 99 % and the next block', () => {
    const chapters = slotChapters(index);
    expect(chapters).toEqual(chapters.toSorted((a, b) => a.timeUs - b.timeUs));
    expect(chapters.map(({ title }) => title)).toContain('99 % verified');
    expect(chapters.at(-1)!.text).toContain(`${result.votes.inReach} of ${result.votes.cast} honest votes`);
  });
});

it('slotIndex separates Eve’s, absent and excluded votes, and Eve’s messages', () => {
  const recording = recorded({ dead: 0.1, attacks: [{ name: 'griefing', share: 0.3 }], seed: 3 });
  const { result } = recording;
  const index = slotIndex(recording);
  const of = (role: number) => index.roles.filter((one) => one === role).length;
  expect(of(VoterRole.byzantine)).toBe(result.votes.byzantine.voters);
  expect(of(VoterRole.absent)).toBe(51);
  expect(of(VoterRole.lostToEve)).toBe(lostToEve(result));
  expect(lostToEve(result)).toBeGreaterThan(0);
  expect(lostSinceUs(index)).toBe(index.clock.collectUs);
  expect(votesOfAll(index, neverUs - 1).voters).toBe(result.votes.cast);
  const bars = topicBars(index.topic, barUs(index.spanUs, 100), neverUs);
  const hers = bars.reduce((sum, { byzantine }) => sum + byzantine, 0);
  expect(hers).toBe(index.topic.verifiedByzantine.filter((is) => is === 1).length);
  expect(hers).toBeGreaterThan(0);
});

it('exports every subcommittee, the slot over time, and the compared systems, with the votes of the result', () => {
  const index = slotIndex(recorded({}));
  const { cast, inReach } = index.result.votes;
  const [, ...lines] = fieldNumbers(index, index.clock.endUs);
  expect(lines.map(([committee, within]) => `${committee}.${within}`).slice(3, 6)).toEqual(['0.3', '1.0', '1.1']);
  const sum = (column: number) => lines.reduce((all, line) => all + Number(line[column]), 0);
  expect([lines.length, sum(3), sum(5)]).toEqual([8, cast, inReach]);
  for (const [titles, ...rows] of [chartNumbers(index), lanesNumbers([index])].map((table) => [...table])) {
    expect(csvText(rows)).not.toMatch(/undefined|NaN/);
    expect(rows.at(-1)).toHaveLength(titles!.length);
    expect(rows.at(-1)![titles!.indexOf('in_reach')]).toBe(inReach);
  }
});
