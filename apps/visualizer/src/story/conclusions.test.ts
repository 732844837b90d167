import { readFileSync } from 'node:fs';
import { defaultScenario, simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { readSlotFile } from '../horn/slotFile.ts';
import { deskConclusion, doublingConclusion, growthConclusion, hornConclusion } from './conclusions.ts';

describe('the sentence that a chapter ends in', () => {
  it('counts swaps, and the time of the run', () => {
    expect(doublingConclusion(64, 300_400)).toBe(
      '64 nodes, 6 swaps: with each a node holds twice as much, and after 300 ms all hold 64.',
    );
  });

  it('counts the checks and lies that the run says its node had', () => {
    const recording = recordedRun({ nodes: 64, verifyMs: 20, attacks: [{ name: 'invalid', share: 0.4 }] });
    const me = recording.world.alive.indexOf(1);
    expect(deskConclusion(recording, me)).toMatch(
      new RegExp(`^Node ${me} made \\d+ checks, \\d+ of them lies of \\d+ nodes, and nobody lied to it twice\\.$`),
    );
    expect(deskConclusion(recordedRun({ nodes: 16 }), 0)).toMatch(/none of them a lie\.$/);
  });

  it('sets the smallest run beside the largest', () => {
    const runs = [256, 16].map((nodes) => simulate({ ...defaultScenario, nodes }));
    expect(growthConclusion(runs)).toMatch(
      /^16 times as many nodes took 1\.\d times as long: \d+ ms more with each doubling\.$/,
    );
    expect(growthConclusion(runs.slice(1))).toMatch(/^16 nodes take \d+ ms on average\./);
    expect(growthConclusion([])).toBe('');
  });

  it('has the post’s argument of Horn: 64 times fewer messages, and a quarter of the bytes', () => {
    const file = readSlotFile(JSON.parse(readFileSync(new URL('../horn/slots.json', import.meta.url), 'utf8')));
    const of = (system: string) => file.lanes.find(({ result }) => result.scenario.system === system)!.result;
    expect(hornConclusion(of('strawman'), of('horn'))).toMatch(
      /^Horn sends everybody 6\d times fewer messages, 2\.\d MB instead of [78]\.\d MB, and makes its block 10 s later\.$/,
    );
  });
});
