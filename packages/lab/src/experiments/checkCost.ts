import { type AttackShare, choosesIds, worstFinds } from '@tutti/simulation';
import { attackLimits } from './attackLimits.ts';
import type { Experiment, Extent } from './experiment.ts';
import { at, scenario } from './extent.ts';
import type { Figure } from './figure.ts';
import { type Curve, type Sample, seeds } from './figure.ts';
import { timeMs } from './measures.ts';
import { threeDigits } from './wording.ts';

/**
 * Costs of a check on a standard node, ms: from that of the kernel to that of a node without the kernel, or with many
 * keys.
 */
const costsMs = [2, 4, 8, 15, 30];
/** Cost of a check in the claim, ms. */
const claimedMs = 4;
const share = 0.3;
const { mean: maxTimes } = attackLimits(share);
const silent = 'silent';

/** The worst attack found with ids drawn by seed. The claim only concerns drawn ids. */
const found = worstFinds.find(({ plan }) => !choosesIds('across-levels', plan))!.plan;
const attackers: readonly { readonly name: string; readonly attack: AttackShare }[] = [
  { name: silent, attack: { name: 'silent', share } },
  { name: 'invalid', attack: { name: 'invalid', share } },
  { name: 'found', attack: { name: 'across-levels', share, plan: found } },
];
const attacking = attackers.map(({ name }) => name).filter((name) => name !== silent);

const cost = { label: 'cost of one verification', unit: 'ms', scale: 'log' } as const;

function samples(extent: Extent, attack: AttackShare): Sample[] {
  const nodes = at(extent, 64, 512, 1024);
  const of = seeds(at(extent, 1, 1, 3));
  return costsMs.map((verifyMs) => ({
    x: verifyMs,
    // Back-off may also delay silent nodes, which would hide the cost of an attack.
    scenario: scenario({ nodes, verifyMs, attacks: [attack], backOff: attack.name !== 'silent' }),
    seeds: of,
  }));
}

/** Returns a series' mean or maximum time as a multiple of that of silence, with the same cost of a check. */
function timesSilence(figure: Figure, name: string, of: 'mean' | 'max', x: number): number {
  return figure.point(name, x).y![of] / figure.point(silent, x).y![of];
}

function timesCurves(figure: Figure, of: 'mean' | 'max'): Curve[] {
  return attacking.map((name) => ({
    name,
    isMeasured: true,
    points: costsMs.map((x) => ({ x, y: timesSilence(figure, name, of, x) })),
  }));
}

/**
 * Cost of checks under attack. The paper has no such figure: the claim is the project's own, and this experiment shows
 * its limit.
 */
export const checkCost: Experiment = {
  id: 'check-cost',
  title: '30 % Byzantine nodes, by cost of a verification',
  section: 'v1.03 4.1',
  claim: `Our own claim: with verifications of ${claimedMs} ms or less, honest nodes take at most ${maxTimes} times as long as with silent attackers. More expensive verifications break this claim, because an invalid contribution costs as much as a valid one.`,
  note: 'AWS, a branching factor of 2, a threshold of 99 % of the honest nodes, random ids. "Found" is the most harmful attack that the attack search found with random ids. Each attack is compared with silent attackers at the same cost of a verification and without back-off.',
  charts: (extent) => [
    {
      title: 'Time to 99 % of the honest nodes',
      x: cost,
      left: { label: timeMs.label, unit: 'ms', scale: 'log' },
      series: attackers.map(({ name, attack }) => ({ name, measure: timeMs, samples: samples(extent, attack) })),
    },
    {
      title: 'Mean time of the honest nodes, relative to silent attackers',
      x: cost,
      left: { label: 'mean time, relative to silent attackers', unit: '', scale: 'linear' },
      series: [],
      curves: (figure) => timesCurves(figure, 'mean'),
    },
    {
      title: 'Time of the last honest node, relative to silent attackers',
      x: cost,
      left: { label: 'time of the last honest node, relative to silent attackers', unit: '', scale: 'linear' },
      series: [],
      curves: (figure) => timesCurves(figure, 'max'),
    },
  ],
  holds(figure) {
    const worst = costsMs.map((x) => Math.max(...attacking.map((name) => timesSilence(figure, name, 'mean', x))));
    const claimed = worst.filter((_, index) => costsMs[index]! <= claimedMs);
    return {
      holds: figure.allReached && Math.max(...claimed) <= maxTimes,
      because: `${figure.allReached ? 'every honest node finished' : 'some honest nodes never finished'}; time relative to silent attackers at most ${costsMs
        .map((x, index) => `${threeDigits(worst[index]!)} at ${x} ms`)
        .join(', ')}`,
    };
  },
};
