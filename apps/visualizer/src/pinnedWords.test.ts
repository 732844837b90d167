import { readFileSync } from 'node:fs';
import { published } from '@tutti/lab';
import { DeskReplay, defaultScenario, loadNetwork, type Scenario } from '@tutti/simulation';
import { leanRivals, leanStarts, recordLeanSlot, runLeanSlot } from '@tutti/simulation/lean';
import { defaultNetworkScenario, linkPresets, votingSystemNames } from '@tutti/simulation/slots';
import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, outcomeOf } from '../../../tests/digests.ts';
import { recordedRun } from '../test/recordedRun.ts';
import { branchWords, faultWords, regionNodes, switches, whoWords } from './branches/branchWords.ts';
import { breakWords, unbrokenWords } from './branches/breakWords.ts';
import { completionWords, publishedBeside } from './completion/completionWords.ts';
import { lensWords, stamp, why, whyThisOne, windowWords } from './desk/deskWords.ts';
import { networkCommand, votingNames } from './horn/networkWords.ts';
import { readSlotFile } from './horn/slotFile.ts';
import {
  eveWords,
  handelChapter,
  handelTitle,
  laneTitle,
  laneWords,
  lostToEve,
  threeChapters,
} from './horn/threeWords.ts';
import { megabytes, percent, seconds, systemNames } from './horn/words.ts';
import { jobsOf } from './lean/leanMoment.ts';
import { firstLeanState, leanScenarioOf } from './lean/leanState.ts';
import * as lean from './lean/leanWords.ts';
import { count, figure } from './numberWords.ts';
import type { RaceOutcome } from './race/raceFile.ts';
import * as race from './race/raceWords.ts';
import { nodeWords, worldWords } from './run/nodeWords.ts';
import { runIndex } from './timeline/runIndex.ts';
import { ms, protocolTitles, spelled } from './words.ts';

const numbers = [
  ...[
    0, 0.04, 0.05, 0.1, 0.5, 0.95, 1, 1.25, 2, 9, 9.94, 9.95, 10, 99, 99.5, 100, 119.5, 120, 999, 999.95, 1000, 7199,
    7200,
  ],
  ...[9949, 9950, 99_999, 100_000, 999_999, 1e6, 1_234_567.8, 1e9, 1e-10, 1e-9, 2e-9, 0.3, 0.11],
];

it('numbers, times, shares and sizes are written as they were', () => {
  const of = {
    count,
    figure,
    ms,
    seconds,
    megabytes,
    raceSeconds: race.seconds,
    amount: race.amount,
  };
  const more = { leanPercent: lean.percent, slotTime: lean.slotTime };
  const pins = Object.entries({ ...of, ...more }).map(([name, write]) => `${name} ${numbers.map(write).join(' ')}`);
  expect(pins).toMatchSnapshot();
  expect(Array.from({ length: 105 }, (_, value) => spelled(value)).join(' ')).toMatchSnapshot();
  expect(
    [0, 1, 2, 199, 200, 201]
      .flatMap((all) => [0, 1, all >> 1, all - 1, all].map((part) => percent(part, all)))
      .join(' '),
  ).toMatchSnapshot();
  expect([protocolTitles, systemNames, votingNames, lean.rivalWords, lean.startWords, handelTitle]).toMatchSnapshot();
});

it('a race is told as it was', () => {
  const pins = drawn(40, (draw) => {
    const outcome = (protocol: RaceOutcome['protocol']): RaceOutcome => {
      const live = draw.integer(5, 9);
      return {
        protocol,
        nodes: 9,
        dead: 0,
        live,
        reached: draw.chance(0.7) ? live : live - 2,
        lastMs: draw.integer(1, 9),
        meanMs: 1,
        bytesSent: draw.integer(1, 2e6),
        messagesSent: 1,
        checked: 1,
      };
    };
    const inRace = draw.some(
      ['handel', 'san-fermin', 'complete-graph', 'gossip'] as unknown as RaceOutcome['protocol'][],
      0.7,
    );
    return race.verdict((inRace.length === 0 ? ['handel' as RaceOutcome['protocol']] : inRace).map(outcome));
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"ffbdf0207a19"`);
});

/** A small run that is much unlike the published ones. */
function drawRun(draw: Draw, seed: number): Partial<Scenario> {
  const attacks = draw.chance(0.5) ? [{ name: draw.one(['invalid', 'worthless', 'silent']), share: 0.3 }] : [];
  const some = { nodes: draw.integer(6, 30), network: draw.one(['aws', 'distance']), dead: draw.one([0, 0.2]) };
  return {
    ...some,
    attacks,
    verifyMs: draw.one([4, 30]),
    batch: draw.one([1, 4]),
    window: draw.one(['relative', 'paper']),
    seed,
  };
}

it('a run, its nodes and its completion are told as they were', () => {
  const pins = drawn(8, (draw, seed) => {
    const recording = recordedRun(drawRun(draw, seed));
    const index = runIndex(recording, true);
    const ids = Array.from({ length: recording.world.nodes }, (_, id) => id);
    const nodes = ids.flatMap((id) => [0, 60_000, 200_000].map((us) => nodeWords(index, id, us)));
    const rows = publishedBeside(published.handel, draw.integer(3, 5000));
    const { result } = recording;
    const none = { ...recording, result: { ...result, reached: draw.one([0, 1]) } };
    return [
      nodes,
      ids.map((id) => worldWords(recording.world, id)),
      [recording, none].flatMap((one) => [completionWords(one, rows), completionWords(one, [])]),
    ];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "2e95b549b544",
      "cc7eadc347a6",
      "cb76e84b8923",
      "d5033b0fede3",
      "d922e417eb46",
      "d592d9fb6fc2",
      "d746a5d7903a",
      "0d7cdca47e0c",
    ]
  `);
  const sizes = published.handel.map(({ nodes }) => nodes);
  expect(
    [0, ...sizes, ...sizes.map((nodes) => nodes + 1)].map((nodes) =>
      publishedBeside(published.handel, nodes).map((row) => row.nodes),
    ),
  ).toMatchSnapshot();
});

it('a node’s desk is told as it was', () => {
  const pins = drawn(8, (draw, seed) => {
    const replay = new DeskReplay({ ...defaultScenario, ...drawRun(draw, seed), dead: 0 }, draw.integer(0, 5));
    return [20, 60, 90, 120, 150, 200, 260, 330, 500].map((at) => {
      const desk = replay.at(1000 * at);
      if (desk === undefined) return 'none';
      const items = desk.levels.flatMap((level) => [
        windowWords(level),
        ...level.items.map((item) => why(item, level, desk)),
      ]);
      return [items, lensWords(desk), whyThisOne(desk), desk.verdicts.map(stamp)];
    });
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "275a384a8d30",
      "d34c33dd9c9b",
      "bfa2d611b6c7",
      "f2a641937eec",
      "45830d1da383",
      "fb4447e722f7",
      "c870d4b97912",
      "8f796c126d09",
    ]
  `);
});

it('whatever may lie on a desk is told as it was', () => {
  const pins = drawn(120, (draw) => {
    const weight = draw.integer(0, 3);
    const item = {
      ...{ sender: draw.integer(0, 3), weight, hasIndividual: weight === 0 || draw.chance(0.5) },
      ...{ rank: draw.integer(0, 9), adds: draw.integer(0, 4), score: draw.integer(0, 9) },
    };
    const peer = () => ({ sender: draw.integer(0, 3), rank: draw.integer(0, 9), adds: draw.integer(1, 4) });
    const level = () => ({
      ...{ level: draw.integer(1, 3), size: draw.integer(4, 8), inWeight: draw.integer(0, 4) },
      ...{ lastRank: draw.one([5, Number.POSITIVE_INFINITY]) },
      ...{ window: draw.one([4, 9, Number.POSITIVE_INFINITY]), counted: draw.integer(2, 9), turn: draw.integer(0, 2) },
      ...{ best: peer(), ties: draw.list(draw.integer(0, 2), peer), isDistrusted: draw.chance(0.5) },
    });
    const next = draw.list(draw.integer(1, 3), level);
    const levels = [1, 2, 3].map((number) => ({
      ...level(),
      ...{ level: number, best: number === next[0]!.level || draw.chance(0.6) ? peer() : undefined },
    }));
    const choice = { next, levels, rule: draw.one(['rank', 'share']), levelTies: draw.some([1, 2, 3], 0.3) };
    const checking = draw.list(draw.integer(0, 2), () => ({
      ...{ level: draw.integer(1, 3), sender: draw.integer(0, 3), weight: draw.integer(0, 3) },
      isIndividual: draw.chance(0.5),
    }));
    const verdict = {
      ...{ valid: draw.chance(0.5), adds: draw.integer(0, 3), isIndividual: draw.chance(0.5), weight },
      ...{ windowBefore: draw.one([4, 8, Number.POSITIVE_INFINITY]), windowAfter: draw.one([4, 8]) },
    };
    const places = ['window', 'waits', 'pruned', 'aside', 'dormant'] as const;
    const told = level();
    return [
      places.map((place) => why({ ...item, place } as never, told as never, { next: choice } as never)),
      [windowWords(told as never), lensWords({ checking } as never), stamp(verdict as never)],
      [
        whyThisOne({ choice } as never),
        whyThisOne({} as never),
        whyThisOne({ choice: { ...choice, next: [] } } as never),
      ],
    ];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"6b7a970c1906"`);
});

it('branches, faults and what they break are told as they were', () => {
  const world = recordedRun({ nodes: 12, network: 'aws', dead: 0.2 }).world;
  const pins = drawn(80, (draw) => {
    const nodes = draw.one([
      [3],
      draw
        .some(
          Array.from({ length: 12 }, (_, id) => id),
          0.4,
        )
        .concat(1),
      regionNodes(world, draw.integer(0, 3)).concat([]),
      { share: 0.25 },
    ] as const);
    const set = Array.isArray(nodes) && nodes.length === 0 ? [0] : nodes;
    const [atMs, forMs] = [draw.number(0, 99), draw.integer(1, 5000)];
    const fault = draw.one([
      { kind: 'crash', nodes: set, atMs },
      { kind: 'pause', nodes: set, atMs, forMs },
      { kind: 'partition', nodes: set, atMs, forMs },
      { kind: 'slow-nodes', nodes: set, factor: 3, atMs },
      { kind: 'slow-nodes', nodes: set, factor: 3, forMs },
      { kind: 'corruption', from: set, share: 1, of: draw.one(['signature', 'bits']) },
      { kind: 'slow-links', byMs: 5 },
      { kind: 'loss', from: set, share: 0.1, atMs },
    ]) as never;
    const ground = { ...defaultScenario, nodes: 12 };
    const off = draw.some(switches, 0.2).reduce((scenario, one) => one.off(scenario), ground);
    const scenario = { ...off, faults: [fault] };
    const result = () => {
      const live = draw.integer(7, 9);
      return {
        lastMs: draw.one([300, 300.2, 1250, 90]),
        checked: draw.one([10, 12.5, 8]),
        messagesSent: 9,
        reached: live - draw.one([0, 0, 1, 2]),
        live,
      };
    };
    const [before, after] = [result(), result()];
    const time = { timeToThresholdMs: { min: 1, mean: 2, max: draw.number(1, 2000) } };
    return [
      [faultWords(fault, world), branchWords(scenario, ground, world), branchWords(off, ground, world)],
      [
        breakWords(scenario, world, before, after),
        breakWords(scenario, world, before, undefined),
        breakWords(off, world, before, after),
      ],
      unbrokenWords(
        { ...scenario, attacks: draw.one([[], [{ name: 'invalid', share: 0.2 }]]) },
        { ...after, ...time },
        draw.one([undefined, time]),
      ),
      Array.isArray(set) ? whoWords(set, world) : '',
    ];
  });
  expect(pins.map(digestOf)).toMatchSnapshot();
});

it('commands of slots are what they were', () => {
  const pins = drawn(60, (draw, seed) =>
    networkCommand(
      {
        ...defaultNetworkScenario,
        ...{
          system: draw.one(votingSystemNames),
          validators: draw.one([2 ** 20, 4096]),
          changes: draw.one([{}, { slotMs: 4000 }]),
        },
        ...{
          links: draw.one(Object.values(linkPresets)),
          distribution: draw.one(['uniform', 'heavy-tailed']),
          seed: draw.one([1, seed]),
        },
        client: { ...defaultNetworkScenario.client, machine: draw.one(['i7-8550U', 'epyc-native']) },
        attacks: draw.one([[], [{ name: 'griefing', share: 0.2 }], [{ name: 'late', share: 0.3 }]]),
      },
      draw.one([[], ['cap'], ['late', 'bundles']]),
    ),
  );
  expect(digestOf(pins)).toMatchInlineSnapshot(`"b4b9486766bb"`);
});

it('three slots, Handel beside them, and Eve in them are told as they were', () => {
  const { lanes, committee } = readSlotFile(
    JSON.parse(readFileSync(new URL('./horn/slots.json', import.meta.url), 'utf8')),
  );
  const times = [0, 3_999_999, 4e6, 4.35e6, 6e6, 8e6, 9.5e6, 12e6, 12.1e6, 15e6, 22e6, 22.1e6, 30e6];
  const pins = drawn(24, (draw) => {
    const spoilt = lanes.map((lane) => {
      const lost = {
        ...lane.result.votes.lost,
        hostileAggregators: draw.one([0, 5]),
        hostileCollectors: draw.one([0, 2]),
        outweighed: draw.one([0, 7]),
      };
      const votes = { ...lane.result.votes, lost, inReach: lane.result.votes.cast - draw.one([0, 1, 900]) };
      const scenario = { ...lane.result.scenario, attacks: draw.one([[], [{ name: 'griefing', share: 0.2 }]]) };
      return { ...lane, result: { ...lane.result, votes, scenario } };
    });
    const other = committee && { ...committee, reached: committee.live - draw.one([0, 3]) };
    const chapters = [
      threeChapters(spoilt),
      other && handelChapter(other),
      eveWords(spoilt, draw.one([other, undefined])),
    ];
    const told = [...spoilt, ...(other ? [other] : [])].map((lane) => [
      laneTitle(lane),
      times.map((us) => laneWords(lane, us)),
    ]);
    return [chapters, told, spoilt.map(({ result }) => lostToEve(result)), laneTitle({ title: 'mine' })];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "1c2b4890d315",
      "2ab1c4c85374",
      "43cc2d1e69c6",
      "9d01bdf61c24",
      "717b0dcc1ad3",
      "03706b0cdd1e",
      "422daac589a8",
      "04280c7a3929",
      "50900ce0f62c",
      "df278dd41380",
      "6737258a03db",
      "1802d025a17b",
      "289b92e9730c",
      "158335de17d7",
      "9e52ee5a2fe3",
      "0e3dad2847e3",
      "3ed04c51c492",
      "e5a2cef23fb0",
      "11abe5f91315",
      "aec235a5c662",
      "6df9b0277181",
      "697efb8bb17e",
      "e23e5c5490a3",
      "c2faa8ecbe43",
    ]
  `);
});

it('slots of many proofs are told as they were, job by job', async () => {
  await loadNetwork(leanScenarioOf(firstLeanState, 'spec').network);
  const pins = drawn(4, (draw, seed) => {
    const state = {
      ...firstLeanState,
      subnets: 4,
      each: draw.one([1, 2]),
      cores: draw.one([2, 16]),
      silent: draw.one([0, 33]),
      start: draw.one(leanStarts),
      seed,
    };
    const rivals = [leanRivals[seed * 2]!, leanRivals[(seed * 2 + 5) % leanRivals.length]!];
    const recordings = rivals.map((rival) => recordLeanSlot(runLeanSlot(leanScenarioOf(state, rival)).run));
    const rows = recordings.map(lean.outcomeOf);
    const jobs = recordings.map((recording) => jobsOf(recording).map((job) => lean.jobWords(recording, job)));
    const asked = { rival: rivals[0]!, proof: draw.integer(0, 12) };
    const chapters = [state, { ...state, asked }].map((one) => lean.leanChapters(one, recordings, 'end'));
    const verdicts = [rows, rows.toReversed(), rows.slice(1), []].map((some) => lean.verdictWords(state, some));
    return [
      rows,
      jobs,
      chapters,
      verdicts,
      lean.leanChapters(state, [], 'end'),
      recordings.map((recording) => lean.proverWords(recording, 1)),
    ];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "f3f262082101",
      "dea0e9dd3a91",
      "22865cdb3f6e",
      "84def64ed5be",
    ]
  `);
});

it('what every rival makes of one slot is counted as it was', async () => {
  const state = { ...firstLeanState, subnets: 8, cores: 64, silent: 0 };
  await loadNetwork(leanScenarioOf(state, 'spec').network);
  const rows = leanRivals.map((rival) => lean.outcomeOf(recordLeanSlot(runLeanSlot(leanScenarioOf(state, rival)).run)));
  expect(rows.some(({ merges, vain }) => merges > vain)).toBe(true);
  expect(rows.map(digestOf)).toMatchInlineSnapshot(`
    [
      "838d5dab9942",
      "1932627a2cf0",
      "bf697d5da9b6",
      "ae1117fd0191",
      "06b96f38969f",
      "3d0a3d4f3443",
      "50a4364ee958",
      "a7204c11c2a7",
      "958b5b056aed",
      "bd4e08f2ec1a",
      "d2a9dcdc40b0",
    ]
  `);
});

it('whatever may come of slots of many proofs is told as it was', () => {
  const pins = drawn(120, (draw) => {
    const rows = draw.list(draw.integer(1, 3), () => ({
      ...{ rival: draw.one(leanRivals), covered: draw.one([0.5, 0.501, 0.504, 0.9]), reachedMs: draw.integer(1, 4000) },
      ...{ proofs: draw.integer(1, 3), mergeMs: draw.integer(1, 900), merges: draw.integer(1, 3) },
      ...{ vain: draw.integer(0, 3), proverSeconds: draw.integer(1, 9), vainSeconds: 1 },
    }));
    const proof = () => ({
      ...{ by: draw.integer(0, 1), rawVotes: draw.integer(0, 2), children: draw.some([0, 1]) },
      shares: draw.list(4, () => draw.one([0, 0, 1, 0.5])),
    });
    const recording = {
      ...{ lanes: [{ subnet: 3 }, { subnet: 4 }], proofs: draw.list(3, proof), slotMs: 4000 },
      block: { proofs: draw.some([0, 1, 2]) },
    };
    const vain = {
      why: draw.one(['same', 'not ready', 'not there', 'held back', 'unused', 'other message', 'covered']),
      ...{ proof: draw.integer(0, 2), dueMs: 4800, proofs: draw.list(draw.integer(1, 2), () => 1) },
      when: draw.one(['held', 'on its way', 'being made', 'not begun']),
    };
    const job = {
      ...{ proof: draw.integer(0, 2), position: draw.integer(0, 1), startMs: 500, endMs: 500 + draw.integer(1, 900) },
      ...{ isMerge: draw.chance(0.6), vain: draw.chance(0.2) ? null : vain },
    };
    const state = { ...firstLeanState, silent: draw.one([0, 33]) };
    return [
      outcomeOf(() => lean.verdictWords(state, rows)),
      outcomeOf(() => lean.jobWords(recording as never, job as never)),
    ];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"1e3a343ef88a"`);
});
