import { expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/outcomes.ts';
import { recordingOf } from '../../test/recordings.ts';
import { LineKind } from '../recording/recording.ts';
import { defaultScenario, type Scenario } from '../scenario/scenario.ts';
import { QueueReplay } from './queue.ts';

const attacked: Scenario = { ...defaultScenario, nodes: 48, seed: 2, attacks: [{ name: 'invalid', share: 0.3 }] };
const recording = recordingOf(attacked);

const { kind, node, level, peer, value, timeUs, untilUs, world } = recording;
const me = world.role.indexOf(1);
const replay = new QueueReplay(attacked, me);
const endUs = timeUs.at(-1)!;

it('QueueReplay replays the run itself, with any signatures', () => {
  expect(replay.digest).toBe(recording.result.digest);
  expect(new QueueReplay({ ...attacked, scheme: 'bls' }, me).digest).toBe(recording.result.digest);
});

it('QueueReplay shows on every level the recorded contributions of the node, and the contribution being verified', () => {
  for (const at of [0, 30_000, 90_000, 200_000, 150_000, endUs]) {
    const queue = replay.at(at)!;
    const held = new Map<number, number>();
    let checking: string | undefined;
    for (let line = 0; line < recording.length && timeUs[line]! <= at; line++) {
      if (node[line] !== me) continue;
      if (kind[line] === LineKind.improve) held.set(level[line]!, value[line]!);
      if (kind[line] === LineKind.check)
        checking = untilUs[line]! > at ? `${level[line]} ${peer[line]} ${Math.abs(value[line]!)}` : undefined;
    }
    expect(queue.levels.map((one) => one.inWeight)).toEqual(queue.levels.map((one) => held.get(one.level) ?? 0));
    for (const { items } of queue.levels) {
      const dormant = items.filter(({ place }) => place === 'dormant').map(({ sender }) => sender);
      expect(new Set(dormant).size).toBe(dormant.length);
    }
    const checked = queue.checking.map((check) => `${check.level} ${check.sender} ${check.weight}`);
    expect(checked, `at ${at}`).toEqual(checking === undefined ? [] : [checking]);
  }
});

it('QueueReplay shows the results of checks: the added weight, and a window of a quarter after an invalid one (v1.03 sections 3.3, 3.6)', () => {
  const ends = [...kind.keys()].filter(
    (line) => kind[line] === LineKind.check && node[line] === me && untilUs[line]! <= endUs,
  );
  const { verdicts } = replay.at(endUs)!;
  expect(verdicts.length).toBeGreaterThan(4);
  verdicts.forEach((verdict, back) => {
    const line = ends.at(-1 - back)!;
    expect([verdict.sender, verdict.level, verdict.valid]).toEqual([peer[line], level[line], value[line]! > 0]);
    expect(verdict.timeUs).toBe(untilUs[line]);
  });
  const all = ends.flatMap((line) => replay.at(untilUs[line]!)!.verdicts.slice(0, 1));
  const invalid = all.filter(({ valid }) => !valid);
  expect(invalid.length).toBeGreaterThan(0);
  for (const { adds, windowBefore, windowAfter } of invalid) {
    expect(adds).toBe(0);
    expect(windowAfter).toBe(Math.max(1, Math.floor(windowBefore / 4)));
  }
});

it('QueueReplay has no queues of a Byzantine node', () => {
  expect(new QueueReplay(attacked, world.role.indexOf(2)).at(50_000)).toBeUndefined();
});

it.each([
  ['node', attacked, -1],
  ['node', attacked, 0.5],
  ['node', attacked, 48],
  ['protocol', { ...attacked, protocol: 'gossip' }, 0],
  ['scenario.protocol', {}, 0],
  ['scenario', undefined, 0],
])('QueueReplay refuses an invalid replay, and names the %s: %j, %d', (subject, scenario, id) => {
  expect(refusedBy(() => new QueueReplay(scenario as never, id))).toBe(subject);
});
