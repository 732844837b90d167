import { attacks, choosesIds, worstFinds } from '@tutti/simulation';
import { attackLimits } from './attackLimits.ts';
import type { Experiment, Extent } from './experiment.ts';
import { at, scenario } from './extent.ts';
import { type Sample, seeds } from './figure.ts';
import { checkedInvalid, timeMs } from './measures.ts';
import { threeDigits } from './wording.ts';

const share = 0.3;
const { mean: maxTimes } = attackLimits(share);
const silent = 'silent';
/**
 * Attack that delays every message by the network's bound. It costs no verification, and the network determines its
 * effect.
 */
const delay = 'delay';
const names = attacks
  .filter(({ against }) => against.includes('handel'))
  .map(({ name }) => name)
  // The claim only concerns ids drawn by seed. Another experiment shows the effect of chosen ids on first places.
  .filter((name) => !choosesIds(name));

/** Returns the name of one of the worst attacks that the search found with drawn ids. */
const found = (index: number): string => `found ${index + 1}`;
const finds = worstFinds.filter(({ plan }) => !choosesIds('across-levels', plan));
const allNames = [...names, ...finds.map((_, index) => found(index))];

function samples(extent: Extent): Sample[] {
  const nodes = at(extent, 64, 1024, 1024);
  const of = seeds(at(extent, 1, 2, 10));
  return [
    ...names.map((name) => ({ x: name, scenario: scenario({ nodes, attacks: [{ name, share }] }), seeds: of })),
    ...finds.map(({ plan }, index) => ({
      x: found(index),
      scenario: scenario({ nodes, attacks: [{ name: 'across-levels', share, plan }] }),
      seeds: of,
    })),
  ];
}

/** Every attack, compared with the same number of silent nodes. */
export const byzantineNodes: Experiment = {
  id: 'attacks',
  title: '30 % Byzantine nodes with any behaviour',
  section: 'v1.03 4.1 and 4.3',
  claim: `With 30 % Byzantine nodes of any behaviour, every honest node reaches the threshold, and not much later than with silent attackers. The claim is judged to hold if the time is at most ${maxTimes} times as long; attacks that delay messages in the network are excluded.`,
  note: '1024 nodes on AWS, random ids, verifications of 4 ms, a branching factor of 2, a threshold of 99 % of the honest nodes: the claim covers only this configuration. Attackers see the state of their victims. The last attacks are the most harmful that the level-by-level attack search found with random ids, so the claim is only as strong as that search. An honest node verifies at most one invalid contribution per sender, so it verifies at most as many as there are Byzantine senders.',
  charts: (extent) => [
    {
      title: 'Time to 99 % of the honest nodes',
      x: { label: 'attack', unit: '', scale: 'names' },
      left: { label: timeMs.label, unit: 'ms', scale: 'linear' },
      series: [{ name: 'time', measure: timeMs, samples: samples(extent) }],
    },
    {
      title: 'Invalid contributions that an honest node verifies',
      x: { label: 'attack', unit: '', scale: 'names' },
      left: { label: checkedInvalid.label, unit: '', scale: 'linear' },
      series: [{ name: 'invalid', measure: checkedInvalid, samples: samples(extent) }],
    },
  ],
  holds(figure) {
    const quiet = figure.mean('time', silent);
    const ratios = allNames
      .filter((name) => name !== delay)
      .map((name) => ({ name, times: (figure.point('time', name).y?.mean ?? Number.POSITIVE_INFINITY) / quiet }));
    const worst = ratios.reduce((a, b) => (b.times > a.times ? b : a));
    const byzantine = figure.point('invalid', silent).runs[0]!;
    const max = Math.max(...allNames.map((name) => figure.point('invalid', name).y!.max));
    const senders = byzantine.nodes - byzantine.live;
    return {
      holds: figure.allReached && worst.times <= maxTimes && max <= senders,
      because:
        `${figure.allReached ? 'every honest node finished under every attack' : 'some honest nodes never finished'}; the most expensive attack, ` +
        `${worst.name}, takes ${threeDigits(worst.times)} times as long as silent attackers (${threeDigits(quiet)} ms); at most ${threeDigits(max)} invalid ` +
        `contributions were verified by one node, of ${threeDigits(senders)} Byzantine senders`,
    };
  },
};
