import { defaultScenario, LineKind, type Recording, type Scenario, validateScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { breaks, forked } from './lab.ts';

/** Returns all lines before a time, except outputs. The offsets of sets in the file are left out. */
function linesUntil({ length, timeUs, kind, node, peer, level, value }: Recording, untilUs: number): string[] {
  const lines: string[] = [];
  for (let line = 0; line < length && timeUs[line]! < untilUs; line++) {
    if (kind[line] === LineKind.output) continue;
    lines.push([timeUs[line], kind[line], node[line], peer[line], level[line], value[line]].join(' '));
  }
  return lines;
}

const scenarios: readonly (Partial<Scenario> & { readonly protocol: Scenario['protocol'] })[] = [
  { protocol: 'handel', nodes: 48, seed: 3, attacks: [{ name: 'invalid', share: 0.3 }] },
  { protocol: 'handel', nodes: 64, seed: 4, dead: 0.2 },
  { protocol: 'san-fermin', nodes: 32, seed: 5 },
  { protocol: 'gossip', nodes: 16, seed: 6 },
];

describe('forked', () => {
  for (const what of breaks) {
    it.each(scenarios)(`is the same run until a node is made to ${what}, with $protocol of $nodes`, (chosen) => {
      const before = recordedRun(chosen);
      const atUs = 120_000;
      const who = [1, 5, 6].filter((id) => before.world.alive[id] === 1);
      const scenario = forked({ ...defaultScenario, ...chosen }, what, who, atUs, 200);
      validateScenario(scenario);
      const after = recordedRun(scenario);
      const same = linesUntil(before, atUs);
      expect(same.length).toBeGreaterThan(100);
      // A line that states the duration of a verification does so when the verification begins. It is the same, too.
      expect(linesUntil(after, atUs)).toEqual(same);
    });
  }

  it('changes the later events', () => {
    const before = recordedRun({ nodes: 64, seed: 1 });
    const scenario = forked({ ...defaultScenario, nodes: 64 }, 'lie', [1, 5, 6], 100_000, 1);
    const after = recordedRun(scenario);
    expect(after.result.checkedInvalid.max).toBeGreaterThan(before.result.checkedInvalid.max);
  });
});
