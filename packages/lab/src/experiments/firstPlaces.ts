import { RandomStream } from '@tutti/core';
import { drawnIndices } from '@tutti/core/horn';
import { partOf } from '@tutti/core/input';
import { byzantineBeforeHonest, createPriorities } from '@tutti/simulation/engine';
import { at, type Experiment, type Extent, scenario } from './experiment.ts';
import { chartOf, type Sample, seeds } from './figure.ts';
import { checkedInvalid, threeDigits } from './measures.ts';

const depths = [1, 2, 3, 4, 5, 6, 7, 8];
const shares = [0.3, 0.49];
/** Number of receivers examined in a draw. */
const receivers = 32;

const drawn = 'random ids, assigned by the shuffle';
const chosen = 'ids chosen by the attacker, without the shuffle';
const attackers = [
  { x: drawn, name: 'invalid' },
  { x: chosen, name: 'first-places' },
] as const;
const attackShare = 0.1;

export const globalShuffle: Experiment = {
  id: 'first-places',
  title: "A victim's first verification places and the global shuffle",
  section: 'v1.0 4.3',
  claim:
    "With ids shuffled before a round, at least one of a node's first d places is honest with a probability greater than 1 − (f/N)^d. At d = 7, this probability is 0.99 if less than half of the nodes are Byzantine. Without the shuffle, an attacker that chooses its ids can fill a victim's first f places. The claim is judged to hold if the measured shares are less than 0.05 below the bound, and at least 0.98 at d = 7, and the victim of chosen ids verifies more invalid contributions than any node with random ids.",
  note: 'The measurements cover a sample of receivers over many draws, with the verification priorities of real nodes. In the second chart 10 % of the nodes send invalid contributions, and no node backs off; with chosen ids, all attackers are in the first places of one victim; the maximum in the chart is the value of this victim.',
  charts: (extent) => [
    {
      title: 'An honest node among the first d places',
      x: { label: 'd', unit: '', scale: 'linear' },
      left: { label: 'share of receivers with an honest node in these places', unit: '', scale: 'linear' },
      series: [],
      curves: () =>
        shares.flatMap((share) => {
          const percent = `${100 * share} % Byzantine`;
          const shown = measured(extent, share);
          return [
            {
              name: `${percent}, measured`,
              isMeasured: true,
              points: depths.map((x, index) => ({ x, y: shown[index]! })),
            },
            { name: `${percent}, 1 − (f/N)^d`, points: depths.map((x) => ({ x, y: bound(share, x) })) },
          ];
        }),
    },
    chartOf(
      'Invalid contributions that an honest node verifies',
      { label: 'ids', unit: '', scale: 'names' },
      { name: 'invalid', measure: checkedInvalid, samples: samples(extent) },
    ),
  ],
  holds(figure) {
    const [odds] = figure.charts.map((chart) => figure.curves(chart));
    const value = (name: string, depth: number) =>
      odds!.find((curve) => curve.name === name)!.points.find(({ x }) => x === depth)!.y;
    const gaps = shares.flatMap((share) =>
      depths.map((depth) => value(`${100 * share} % Byzantine, measured`, depth) - bound(share, depth)),
    );
    const max = (x: string) => figure.point('invalid', x).y!.max;
    const seventh = value(`${100 * shares.at(-1)!} % Byzantine, measured`, 7);
    return {
      // Three standard deviations are below 0.03 for the 3,200 receivers of the extent `full`. With fewer receivers they
      // may be above 0.05, but the draws have fixed seeds.
      holds: Math.min(...gaps) > -0.05 && seventh >= 0.98 && max(chosen) > max(drawn),
      because:
        `the measured shares lie at most ${threeDigits(Math.max(0, -Math.min(...gaps)))} below the bound; with 49 % Byzantine nodes, ${threeDigits(100 * seventh)} % of ` +
        `the receivers have an honest node in their first seven places; with chosen ids, the victim verifies ${threeDigits(max(chosen))} invalid contributions, ` +
        `compared with ${threeDigits(max(drawn))} for the worst node with random ids`,
    };
  },
};

function bound(share: number, depth: number): number {
  return 1 - share ** depth;
}

function samples(extent: Extent): Sample[] {
  return attackers.map(({ x, name }) => ({
    x,
    // With back-off, a waiting node verifies invalid contributions because nothing else is queued. Such verifications
    // would not measure first places.
    scenario: scenario({ nodes: at(extent, 64, 512, 1024), attacks: [{ name, share: attackShare }], backOff: false }),
    seeds: seeds(at(extent, 1, 3, 10)),
  }));
}

/** Returns, for each depth d, the share of receivers whose first d places include an honest node. */
function measured(extent: Extent, share: number): number[] {
  const nodes = at(extent, 64, 1024, 1024);
  const draws = at(extent, 10, 20, 100);
  const found = depths.map(() => 0);
  for (let seed = 1; seed <= draws; seed++) {
    const priorities = createPriorities(scenario({ nodes, seed }));
    const random = new RandomStream(seed, 'experiment: first places');
    const byzantine = new Set(drawnIndices(random, partOf(nodes, share), nodes));
    for (let count = 0; count < receivers; count++) {
      const receiver = random.nextBelow(nodes);
      const before = byzantineBeforeHonest(priorities, nodes, receiver, (id) => byzantine.has(id));
      depths.forEach((depth, index) => {
        if (before < depth) found[index]!++;
      });
    }
  }
  return found.map((count) => count / (draws * receivers));
}
