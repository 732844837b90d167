import { readFileSync } from 'node:fs';
import { defaultScenario, simulate } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { recordedRun } from '../../test/recordedRun.ts';
import { readSlotFile } from '../horn/slotFile.ts';
import {
  deskConclusion,
  doublingConclusion,
  growthConclusion,
  hornConclusion,
  leftOutConclusion,
  proofsConclusion,
} from './conclusions.ts';

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

  it('names whom a rule that looks good has shut out', () => {
    const whole = Int32Array.of(0, 3, 3, 2, 3);
    expect(leftOutConclusion(whole, Int32Array.of(0, 3, 3, 1, 3), [1, 2, 3, 4], 'without it')).toBe(
      'When all are done, node 3 is in the signatures of 2 of the 3 other honest nodes; without it, in 1.',
    );
    expect(leftOutConclusion(whole, whole, [1, 2, 3, 4], 'without it')).toMatch(/^Nobody is in fewer/);
  });

  it('has the post’s argument of Horn: 64 times fewer messages, and a quarter of the bytes', () => {
    const file = readSlotFile(JSON.parse(readFileSync(new URL('../horn/slots.json', import.meta.url), 'utf8')));
    const of = (system: string) => file.lanes.find(({ result }) => result.scenario.system === system)!.result;
    expect(hornConclusion(of('strawman'), of('horn'))).toMatch(
      /^With 1,048,576 validators Horn sends everybody 67 times fewer messages, 2\.\d MB instead of [78]\.\d MB, and makes its block 10 s later\. Not 64 times, since collectors elect themselves by chance: 488 here, 512 on average\.$/,
    );
    const horn = of('horn');
    const { global } = horn.topics;
    const asExpected = { ...horn, topics: { ...horn.topics, global: { ...global, messages: 512 } } };
    expect(hornConclusion(of('strawman'), asExpected)).toMatch(/64 times fewer .* makes its block 10 s later\.$/);
  });
});

it('says of proofs what was merged in vain, with everybody for itself and with owners', () => {
  const shared = { merges: 1, vain: 0, votes: { mean: 0.98 }, proverSeconds: 10.1 };
  expect(proofsConclusion({ merges: 47, vain: 40, votes: { mean: 1 }, proverSeconds: 49.5 }, shared)).toBe(
    'Where nobody says who merges what, all do: 47 merges, 40 of them in vain, and 50\u00a0s of work for 100\u00a0% of the votes, on average over the nodes that could propose. With one owner for each half: 1 merge, not in vain, and 10\u00a0s for 98\u00a0%.',
  );
  expect(proofsConclusion({ ...shared, merges: 8, vain: 8 }, { ...shared, vain: 1 })).toMatch(
    /8 merges, all of them in vain, .* 1 merge, in vain, /,
  );
});
