import type { Scenario } from '@tutti/simulation';
import { at, type Experiment, type Extent, scenario } from './experiment.ts';
import { type Chart, type Figure, type Sample, seeds } from './figure.ts';
import { change, checkingMs, checks, type Measure, threeDigits, timeMs } from './measures.ts';

/** Compared methods: one verification at a time as in the paper, and batches with up to one contribution per level. */
const ways = [
  { name: 'one at a time', batch: 1 },
  { name: 'in batches', batch: 32 },
] as const;

/** Costs of a verification, ms, from a fast kernel to a small machine or a larger scheme. */
const costsMs = [1, 4, 10, 20, 50, 100];
const attackShares = [0.1, 0.2, 0.3, 0.45];
/** Attacks on verification, with a 30 % share of attackers. Silence and delays cost no verification. */
const others = ['mixed', 'worthless', 'flood', 'equivocate'];
/** Cost per verification under attack, ms. The cost is so high that nodes fall behind and verify in batches. */
const attackedMs = 20;

/** A mark on the x axis, and its changes to the paper's scenario. */
interface Setting {
  readonly x: number | string;
  readonly changes: Partial<Scenario>;
}

const slow: readonly Setting[] = costsMs.map((verifyMs) => ({ x: verifyMs, changes: { verifyMs } }));
const dead: readonly Setting[] = costsMs.map((verifyMs) => ({ x: verifyMs, changes: { verifyMs, dead: 0.2 } }));
const invalid: readonly Setting[] = attackShares.map((share) => ({
  x: 100 * share,
  changes: { verifyMs: attackedMs, attacks: [{ name: 'invalid', share }] },
}));
const other: readonly Setting[] = others.map((name) => ({
  x: name,
  changes: { verifyMs: attackedMs, attacks: [{ name, share: 0.3 }] },
}));

const cost = { label: 'cost of one verification', unit: 'ms', scale: 'log' } as const;
const share = { label: 'Byzantine nodes', unit: '%', scale: 'linear' } as const;
const attack = { label: 'attack', unit: '', scale: 'names' } as const;

function chart(
  extent: Extent,
  title: string,
  x: Chart['x'],
  settings: readonly Setting[],
  measure: Measure,
  key: string,
): Chart {
  const nodes = at(extent, 32, 256, 1024);
  const samples = (batch: number): Sample[] =>
    settings.map(({ x, changes }) => ({
      x,
      scenario: scenario({ nodes, batch, ...changes }),
      seeds: seeds(at(extent, 1, 2, 3)),
    }));
  return {
    title,
    x,
    left: { label: measure.label, unit: measure.unit, scale: x.scale === 'log' ? 'log' : 'linear' },
    series: ways.map(({ name, batch }) => ({
      name: seriesName(key, name),
      label: name,
      measure,
      samples: samples(batch),
    })),
  };
}

const seriesName = (key: string, way: string): string => `${key}, ${way}`;

/** Returns the ratio of a mean with batches to the mean with one verification at a time. */
function ratio(figure: Figure, key: string, x: number | string): number {
  const [single, batched] = ways.map(({ name }) => figure.mean(seriesName(key, name), x));
  return batched! / single!;
}

/**
 * Batched verification. Handel with batches has not been published: this claim is the project's own, not the paper's.
 */
export const batchedVerification: Experiment = {
  id: 'batched-verification',
  title: 'Batched verification',
  section: 'v1.03 6',
  claim:
    'Our own claim: if overloaded nodes verify the selected contributions of several levels in one batch, their time and CPU time are at most 0.85 times the values without batches. For other nodes, the factor is at most 1.02. With invalid contributions, it is at most 1.2.',
  note: "A batch has the kernel's cost of 1.1 + 0.14 n verifications, plus the cost of finding the invalid contributions. A batch has at most one contribution per level, and only one in total while the node is under attack. See docs/concepts/batch-verification.md.",
  charts: (extent) => [
    chart(extent, 'Time, nobody dead', cost, slow, timeMs, 'time'),
    chart(extent, 'Checks, nobody dead', cost, slow, checks, 'checks'),
    chart(extent, 'CPU, nobody dead', cost, slow, checkingMs, 'cpu'),
    chart(extent, 'Time, 20 % dead', cost, dead, timeMs, 'time dead'),
    chart(extent, 'CPU, 20 % dead', cost, dead, checkingMs, 'cpu dead'),
    chart(extent, `Time, invalid contributions, ${attackedMs} ms per check`, share, invalid, timeMs, 'time invalid'),
    chart(extent, `CPU, invalid contributions, ${attackedMs} ms per check`, share, invalid, checkingMs, 'cpu invalid'),
    chart(extent, `Time, 30 % of other attackers, ${attackedMs} ms per check`, attack, other, timeMs, 'time attack'),
    chart(extent, `CPU, 30 % of other attackers, ${attackedMs} ms per check`, attack, other, checkingMs, 'cpu attack'),
  ],
  holds(figure) {
    const slowest = costsMs.at(-1)!;
    const gain = ['time', 'cpu'].map((key) => ratio(figure, key, slowest));
    const fast = ['time', 'cpu'].map((key) => ratio(figure, key, costsMs[0]!));
    const losses = attackShares.flatMap((one) =>
      ['time', 'cpu'].map((key) => ratio(figure, `${key} invalid`, 100 * one)),
    );
    const worst = Math.max(...losses);
    return {
      holds: figure.allReached && gain.every((one) => one <= 0.85) && fast.every((one) => one <= 1.02) && worst <= 1.2,
      because:
        `if a verification takes ${slowest} ms, batches take ${change(gain[0]!, 1, 'more', 'less')} time and ${change(gain[1]!, 1, 'more', 'less')} CPU time; if it takes ` +
        `${costsMs[0]} ms, the factors are ${threeDigits(fast[0]!)} and ${threeDigits(fast[1]!)}; with invalid contributions, at most ${threeDigits(worst)}; ` +
        `${figure.allReached ? 'every honest node finished' : 'some honest nodes never finished'}`,
    };
  },
};
