import { defaultScenario, LineKind, type Recording, type Scenario, validateScenario } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { breaks, forked, leavesNode, withoutLastFault } from './breakPanel.ts';

/** Returns all lines of a recording before a given time, except outputs, without the offsets of sets. */
function linesUntil({ length, timeUs, ...columns }: Recording, untilUs: number): string[] {
  const { kind, node, peer, level, value } = columns;
  return upTo(length)
    .filter((line) => timeUs[line]! < untilUs && kind[line] !== LineKind.output)
    .map((line) => [timeUs, kind, node, peer, level, value].map((column) => column[line]).join(' '));
}

const scenarios: readonly Partial<Scenario>[] = [
  { protocol: 'handel', nodes: 48, seed: 3, attacks: [{ name: 'invalid', share: 0.3 }] },
  { protocol: 'handel', nodes: 64, seed: 4, dead: 0.2 },
  { protocol: 'san-fermin', nodes: 32, seed: 5 },
  { protocol: 'gossip', nodes: 16, seed: 6 },
];

it.each(breaks.flatMap((what) => scenarios.map((chosen) => ({ what, chosen }))))(
  'a run is the same until a node is made to $what, with $chosen.protocol of $chosen.nodes',
  ({ what, chosen }) => {
    const before = recordedRun(chosen);
    const atUs = 120_000;
    const who = [1, 5, 6].filter((id) => before.world.role[id] === 1);
    const scenario = forked({ ...defaultScenario, ...chosen }, what, who, atUs, 200);
    validateScenario(scenario);
    expect(withoutLastFault(scenario)).toEqual({ ...defaultScenario, ...chosen });
    const same = linesUntil(before, atUs);
    expect(same.length).toBeGreaterThan(100);
    expect(linesUntil(recordedRun(scenario), atUs)).toEqual(same);
  },
);

it('all nodes except one can be stopped', () => {
  const { world } = recordedRun({ nodes: 16 });
  const stopped = (first: number) => forked({ ...defaultScenario, nodes: 16 }, 'stop', upTo(16).slice(first), 0, 1);
  expect([0, 1].map((first) => leavesNode(stopped(first), world))).toEqual([false, true]);
  expect(() => recordedRun(stopped(0))).toThrow('expected an honest node');
  expect(leavesNode(forked(defaultScenario, 'pause', upTo(16), 0, 1), world)).toBe(true);
});

it('a node that is made Byzantine is found by later verifications', () => {
  const before = recordedRun({ nodes: 64, seed: 1 });
  const after = recordedRun(forked({ ...defaultScenario, nodes: 64 }, 'invalid', [1, 5, 6], 100_000, 1));
  expect(after.result.checkedInvalid.max).toBeGreaterThan(before.result.checkedInvalid.max);
});
