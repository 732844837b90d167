import { readFileSync } from 'node:fs';
import { defaultScenario, LineKind, type RunResult, simulate } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { recordedRun, upTo } from '../../test/recordedRun.ts';
import { readSlotFile } from '../horn/slotFile.ts';
import {
  doublingConclusion,
  growthConclusion,
  hornConclusion,
  leftOutConclusion,
  proofsConclusion,
  queueConclusion,
  switchConclusion,
} from './conclusions.ts';

it('the conclusion of doubling states checks per level only if each node made as many', () => {
  const said = (chosen: Parameters<typeof recordedRun>[0], change: Partial<RunResult> = {}) => {
    const { result, world } = recordedRun(chosen);
    return doublingConclusion({ ...result, ...change }, world.threshold).said;
  };
  expect(said({ nodes: 8 }, { checked: { min: 3, mean: 3, max: 3 } })).toMatch(
    /^Each node made 3 checks, one per level; after \d+ ms, all 8 nodes hold all 8/,
  );
  expect(said({ nodes: 64, network: 'aws' })).toMatch(
    /^There are 6 levels\. Each node made \d+ to \d+ checks; after \d+ ms, all 64 nodes/,
  );
  expect(said({ nodes: 64, threshold: 0.5 })).toMatch(/hold at least 32 signatures\.$/);
  expect(said({ nodes: 64 }, { reached: 60 })).toBe('4 of 64 nodes never finish.');
});

it('the conclusion of the queue counts the checks and the invalid contributions of the node like the run', () => {
  const recording = recordedRun({ nodes: 64, verifyMs: 20, attacks: [{ name: 'invalid', share: 0.4 }] });
  const { result, world } = recording;
  const all = upTo(64).flatMap((id) => (world.role[id] === 1 ? [queueConclusion(recording, id)] : []));
  const mean = (fact: number) =>
    all.reduce((sum, { facts }) => sum + Number(/: (\d+)/.exec(facts[fact]!)![1]), 0) / all.length;
  expect(mean(0)).toBeCloseTo(result.checked.mean, 6);
  expect(mean(1)).toBeCloseTo(result.checkedInvalid.mean, 6);
  expect(
    queueConclusion(
      recording,
      world.role.findIndex((role) => role !== 1),
    ).said,
  ).toMatch(/made no checks\.$/);
  expect(all[0]!.said).toMatch(/ of the contributions were invalid, each from a different sender\.$/);
  expect(queueConclusion(recordedRun({ nodes: 16 }), 0).said).toMatch(/All of the contributions were valid\.$/);
  const again = recordedRun({ nodes: 16, attacks: [{ name: 'invalid', share: 0.3 }], without: ['blacklist'] });
  const victim = again.world.role.indexOf(1);
  const first = again.kind.findIndex(
    (kind, line) => kind === LineKind.check && again.node[line] === victim && again.value[line]! < 0,
  );
  expect(queueConclusion({ ...again, length: first + 1 }, victim).said).toMatch(
    /One of the contributions was invalid\.$/,
  );
  expect(queueConclusion(again, victim).said).toMatch(/up to [\d,]+ from one sender\.$/);
});

it('the conclusion of growth compares the smallest run with the largest, and states where time decreased', () => {
  const runs = [256, 16].map((nodes) => simulate({ ...defaultScenario, nodes }));
  expect(growthConclusion(runs).said).toMatch(
    /^16 times as many nodes took 1\.\d times as long \(mean over nodes\), which is \d+ ms more per doubling\.$/,
  );
  const fell = runs.map(({ nodes }, place) => ({ nodes, timeToThresholdMs: runs[1 - place]!.timeToThresholdMs }));
  expect(growthConclusion(fell).said).toMatch(/ms less per doubling\.$/);
});

it('the conclusion about a censor names the node that a rule excluded, or none', () => {
  const whole = Int32Array.of(0, 3, 3, 2, 3);
  expect(leftOutConclusion(whole, Int32Array.of(0, 3, 3, 1, 3), [1, 2, 3, 4], 'without it').said).toBe(
    'With all rules, node 3 is included in the results of 2 of the 3 other honest nodes and missing from 1. Without it, it is included in 1 and missing from 2.',
  );
  expect(leftOutConclusion(whole, whole, [1, 2, 3, 4], 'without it').said).toMatch(/^No node is included less/);
});

it('the conclusion about a rule states its effect in the two displayed runs, or that there is none', () => {
  const run = (without: readonly 'window'[]) =>
    simulate({ ...defaultScenario, nodes: 256, attacks: [{ name: 'invalid', share: 0.3 }], without });
  const [whole, other] = [run([]), run(['window'])];
  expect(switchConclusion(whole, other, 'without the window').said).toMatch(
    /^With 256 nodes, without the window: the last of 180 honest nodes finishes after [\d,]+ ms instead of \d+, with \d+\.\d checks per node instead of \d+\.\d\.$/,
  );
  expect(switchConclusion(whole, whole, '').said).toMatch(/both runs end at the same time, after \d+ ms/);
  expect(switchConclusion({ ...whole, reached: 100 }, other, '').said).toMatch(
    /all 180 honest nodes finish, the last after [\d,]+ ms\. With all rules, 80 of them never finish\.$/,
  );
  const stuck = switchConclusion(whole, { ...other, reached: 100 }, '').said;
  expect(stuck).toContain('80 of 180 honest nodes never finish');
  const both = switchConclusion({ ...whole, reached: 179 }, { ...other, reached: 100 }, '').said;
  expect(both).toMatch(/With all rules, 1 node never finishes\.$/);
});

it('the conclusion of Horn states a 64th of the messages and a later block only if true', () => {
  const file = readSlotFile(JSON.parse(readFileSync(new URL('../horn/slots.json', import.meta.url), 'utf8')));
  const of = (system: string) => file.lanes.find(({ result }) => result.scenario.system === system)!.result;
  const { slotEndMs } = of('horn');
  const page = readFileSync(new URL('../../index.html', import.meta.url), 'utf8').replaceAll('&nbsp;', ' ');
  expect(page).toContain(
    `All validators would then have voted twice after ${(2 * slotEndMs) / 1000} s. Votes are combined once more`,
  );
  expect(page).toContain(`a slot takes ${slotEndMs / 1000} s instead of ${of('status-quo').slotEndMs / 1000} s`);
  const [strawman, horn] = [of('strawman'), of('horn')];
  expect(hornConclusion(strawman, horn).said).toMatch(
    /^With 1,048,576 validators, Horn reduces the number of messages to every node by a factor of 67 compared with the strawman\. Every node receives 2\.\d MB instead of [78]\.\d MB\. Horn proposes its block 10 s later\. Over many slots, the average factor is 64\. Collectors are elected at random, and this slot has 488 collectors instead of 512\.$/,
  );
  const { global } = horn.topics;
  const expected = { ...horn, topics: { ...horn.topics, global: { ...global, messages: 512 } } };
  expect(hornConclusion(strawman, expected).said).toMatch(/by a factor of 64 .* proposes its block 10 s later\.$/);
  const asMany = hornConclusion(strawman, { ...strawman, scenario: horn.scenario }).said;
  expect(asMany).not.toContain('by a factor');
  expect(asMany).toContain('Horn proposes its block at the same time.');
});

it('the conclusion of proofs names the causes of wasted merges, and claims none without evidence', () => {
  const shared = { merges: 1, duplicate: 0, late: 0, superseded: 0, votes: { mean: 0.98 }, proverSeconds: 10.1 };
  const left = { proofs: 7, mergeMs: 2500 };
  const alone = { ...shared, merges: 47, duplicate: 6, late: 40, votes: { mean: 0.9966 }, proverSeconds: 49.5 };
  const { said, facts } = proofsConclusion({ ...alone, proofs: 14, mergeMs: 4900 }, { ...shared, ...left });
  expect(said).toBe(
    'Without assignment, 47 merges (46 wasted: 40 too late, 6 duplicates) and 50\u00a0s of work cover 99\u00a0% of the votes. With owners, 1 merge (none wasted) and 10\u00a0s of work cover 98\u00a0% of the votes. Without assignment, the proposer must still merge 14 proofs (4.9\u00a0s); with owners, it must still merge 7 proofs (2.5\u00a0s).',
  );
  expect(facts).toHaveLength(2);
});
