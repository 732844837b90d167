import { runLeanChain } from '../chain/chain.ts';
import { eagerExample, runEager } from '../chain/eager.ts';
import { leanStories } from '../chain/stories.ts';
import { blockMergeMs, proofBytes, proveMs } from '../costs.ts';
import { leanProfiles } from '../profiles.ts';
import { type BeamsimSettings, openWindow, runBeamsim } from '../readers/beamsimRun.ts';

/** What is measured against what others have published. */
export const calibrationParts = [
  'prover',
  'circuits',
  'sizes',
  'block',
  'beamsim',
  'report',
  'chain',
  'eager',
] as const;
export type CalibrationPart = (typeof calibrationParts)[number];

/** A published figure, and ours. */
export interface Calibration {
  readonly part: CalibrationPart;
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  /** Where it was published, and when. */
  readonly source: string;
  readonly date: string;
  /** How far off ours may be, as a share. */
  readonly within: number;
  readonly ours: () => number;
}

const { prover, proof, block } = leanProfiles['lean-2026-09']!;

function proved(
  part: CalibrationPart,
  [source, date]: readonly [string, string],
  costs: typeof prover,
  rows: readonly (readonly [cores: number, votes: number, children: number, seconds: number])[],
): Calibration[] {
  return rows.map(([cores, votes, children, measured]) => ({
    part,
    what: `${cores} cores: ${children === 0 ? `${votes} votes` : `a merge of ${children}`}`,
    unit: 's',
    measured,
    source,
    date,
    within: 0.1,
    ours: () => proveMs(costs, votes, children, cores) / 1000,
  }));
}

const bench = (name: string) => [`leanBench, ${name}`, '2026-06-18'] as const;

/**
 * The four runs that are printed in beamsim-global-aggregation-analysis.ipynb. Its map of latencies could not be had: one
 * latency for all ways is fitted to them.
 */
const printed: BeamsimSettings = {
  topology: 'gossip',
  groups: 8,
  ofGroup: 512,
  localOfGroup: 51,
  globals: 51,
  meshN: 8,
  threshold1: 0.75,
  threshold2: 0.66,
  signMs: 20,
  voteBytes: 3072,
  proofBytes: 131_072,
  votesPerSecond: 1000,
  proofsPerSecond: 10,
  voteVerifyMs: 0.03,
  proofVerifyMs: 2,
  mbps: 100,
  votesDirect: 0,
  network: 'constant:34.5',
  seed: 42,
  playedGroups: 2,
};

const beamsim = ([groups, endMs, merged]: readonly [number, number, number]): Calibration => ({
  part: 'beamsim',
  what: `${groups} groups of 512: the end without the merge`,
  unit: 'ms',
  measured: endMs - 100 * merged,
  source: 'qdrvm/beamsim@c3c34fc3',
  date: '2025-09-02',
  within: 0.1,
  ours: () => runBeamsim({ ...printed, groups }).networkMs,
});

/** What the report's runs are likeliest to be, of its notebook: 8 groups of 1024, a tenth of them local aggregators. */
const reported: BeamsimSettings = {
  ...printed,
  groups: 8,
  ofGroup: 1024,
  localOfGroup: 102,
  globals: 100,
  threshold1: 0.9,
  voteVerifyMs: 0.003,
  proofVerifyMs: 10,
};

/** A run of the report: what is left of it without signing, one proof of a group and the merge. */
const report = ([what, measured, settings]: readonly [string, number, Partial<BeamsimSettings>]): Calibration => ({
  part: 'report',
  what: `the network's part: ${what}`,
  unit: 'ms',
  measured,
  source: 'hackmd @kamilsa/ry3sOVBLex',
  date: '2025',
  within: 1.5,
  ours: () => {
    const { signMs, ofGroup, threshold1, votesPerSecond } = reported;
    const proofMs = (1000 * Math.floor(threshold1 * ofGroup)) / votesPerSecond;
    return runBeamsim({ ...reported, ...settings }).networkMs - signMs - proofMs;
  },
});
const direct = { topology: 'grid', votesDirect: 1 } as const;
const open = { firstWindow: openWindow };

/** Every published figure that is run or computed here. */
export const leanCalibrations: readonly Calibration[] = [
  ...proved('prover', bench('13-25-10Z'), prover, [
    [16, 125, 0, 0.3],
    [16, 250, 0, 0.575],
    [16, 500, 0, 1.13],
    [16, 1000, 0, 2.32],
    [16, 0, 2, 0.76],
    [16, 0, 4, 1.48],
    [16, 0, 8, 2.7],
  ]),
  ...proved('prover', bench('13-26-29Z'), prover, [
    [8, 250, 0, 0.88],
    [8, 500, 0, 1.72],
    [8, 0, 2, 1.04],
  ]),
  ...proved('prover', bench('12-01-22Z'), prover, [
    [2, 250, 0, 2.14],
    [2, 500, 0, 4.28],
    [2, 0, 2, 2.42],
  ]),
  ...proved(
    'circuits',
    ['leanBench, devnet4, the leanSig circuit', '2026-06-12'],
    leanProfiles['lean-2026-06']!.prover,
    [
      [16, 250, 0, 1.96],
      [16, 500, 0, 3.9],
      [16, 1000, 0, 7.87],
      [16, 0, 2, 0.89],
    ],
  ),
  ...proved('circuits', ['EIP-8292@f767a1e8', '2026'], leanProfiles['eip-8292']!.prover, [
    [2, 1000, 0, 11],
    [8, 1000, 0, 3.7],
    [16, 1000, 0, 2.6],
  ]),
  ...(
    [
      ['gossip, 100 Mbit/s', 2360, {}],
      ['grid, 100 Mbit/s', 1660, { topology: 'grid' }],
      ['grid among aggregators, 200 Mbit/s', 760, { ...direct, mbps: 200 }],
      ['the same, windows open from the start', 760, { ...direct, ...open, mbps: 200 }],
      ['the same, 100 Mbit/s', 760, { ...direct, ...open }],
      ['grid, 200 Mbit/s, windows open from the start', 760, { ...open, topology: 'grid', mbps: 200 }],
    ] as const
  ).map(report),
  ...(
    [
      [125, 0, 188],
      [250, 0, 196],
      [500, 0, 208],
      [1000, 0, 229],
      [0, 2, 196],
      [0, 4, 208],
      [0, 8, 224],
    ] as const
  ).map(
    ([votes, children, measured]): Calibration => ({
      part: 'sizes',
      what: children === 0 ? `a proof of ${votes} votes` : `a merge of ${children}`,
      unit: 'KiB',
      measured,
      source: bench('13-25-10Z')[0],
      date: '2026-06-18',
      within: 0.03,
      ours: () => proofBytes(proof, votes, children) / 1024,
    }),
  ),
  ...(
    [
      [1, 1.5],
      [2, 2.9],
      [3, 3.8],
      [5, 5.7],
      [9, 11.3],
    ] as const
  ).map(
    ([messages, measured]): Calibration => ({
      part: 'block',
      what: `a block of ${messages} messages`,
      unit: 's',
      measured,
      source: 'gean#442',
      date: '2026',
      within: 0.12,
      ours: () => blockMergeMs(block, messages) / 1000,
    }),
  ),
  ...(
    [
      [6, 2568, 6],
      [8, 2755, 8],
      [10, 2762, 9],
      [12, 3141, 11],
    ] as const
  ).map(beamsim),
  ...(
    [
      // A third of the slots had a proof: of four seconds each.
      [
        'slow: proofs a second, one dispatch a slot',
        '1/s',
        0.33 / 4,
        'gean#371',
        0.1,
        () => storyOf('slow').proofsPerSecond,
      ],
      ['slow: proofs a second, always on', '1/s', 0.184, 'gean#433', 0.1, () => storyOf('slow-always').proofsPerSecond],
      ['slow: slots behind at most', 'slots', 47, 'gean#425', 0.1, () => storyOf('slow').finalityLag.most],
      // 150 slots in ten minutes.
      [
        'single: the last justified slot of 150',
        'slots',
        25,
        'leanSpec#747',
        0.1,
        () => storyOf('single').slots.at(-1)!.justified,
      ],
      ['in good order: slots until final', 'slots', 3, 'ethlambda#603', 0, () => storyOf('steady').finalityLag.mean],
    ] as const
  ).map(
    ([what, unit, measured, source, within, ours]): Calibration => ({
      ...{ part: 'chain', what, unit, measured, source, date: '2026', within, ours },
    }),
  ),
  {
    part: 'eager',
    what: 'proofs with the own one as a child, of all',
    unit: 'share',
    measured: 0.6,
    source: 'zeam#941',
    date: '2026',
    within: 0.15,
    ours: () => runEager(eagerExample).recursiveShare,
  },
];

const storyOf = (name: string) => runLeanChain(leanStories[name]!);
