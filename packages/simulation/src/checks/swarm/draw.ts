import { handelSettings, type Mechanism, RandomStream } from '@tutti/core';
import { defaultsOf, integers, requireAllIn, requireObject, type SettingsOf } from '@tutti/core/input';
import { attacks } from '../../attacks/attacks.ts';
import { acrossLevels } from '../../attacks/composedAttacks.ts';
import { compositionText } from '../../attacks/composition.ts';
import { chooseNamed, Draw, generateFaults } from '../../faults/generate.ts';
import type { Fault } from '../../scenario/faultPlan.ts';
import { type AttackShare, defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import { randomComposition } from '../attackSearch/draw.ts';

/** Options of the scenarios that the swarm draws. */
export interface SwarmOptions {
  /** Maximum number of nodes, 2 to 1024. Default: 1024. */
  readonly maxNodes?: number;
  /**
   * Mechanisms of Handel that are disabled in every scenario. The other fields do not depend on this option. Default:
   * none.
   */
  readonly without?: readonly Mechanism[];
  /** Network of every scenario. The other fields do not depend on this option. Default: drawn. */
  readonly network?: string;
}

/**
 * Maximum number of nodes of a drawn scenario. Larger runs take longer, and effects of size, such as an attack that
 * grows with N, are visible at this size.
 */
const largestNodes = 1024;

/** Settings of the scenarios that the swarm draws. */
export const swarmSettings: SettingsOf<Omit<SwarmOptions, 'network'>> = {
  maxNodes: { default: largestNodes, range: integers(2, largestNodes), about: 'maximum number of nodes in a scenario' },
  without: handelSettings.without,
};

/** Maximum number of nodes of a small scenario. One scenario in twenty is larger. */
const smallNodes = 64;
/** Maximum number of nodes of a medium scenario. One scenario in two hundred is larger. */
const mediumNodes = 200;

/**
 * Draws a scenario of Handel for the swarm by seed, with any combination of attacks, faults, weights, absent nodes,
 * trees, back-off and Tor. Channels are authenticated, as the paper's claims assume (v1.03 section 2.3). Each field
 * draws from its own stream, and each attack and fault is drawn by its name. A new field, attack or kind of fault
 * therefore changes nothing else in a scenario.
 *
 * @param seed an integer, 0 to 2^32 - 1; also the scenario's seed.
 */
export function randomScenario(seed: number, options: SwarmOptions = {}): Scenario {
  requireObject('options', options);
  const { maxNodes, without, network } = { ...defaultsOf(swarmSettings), ...options };
  requireAllIn({ maxNodes, without }, swarmSettings);
  const draw = (purpose: string) => new Draw(seed, `swarm: ${purpose}`);
  const nodes = Math.min(maxNodes, drawNodes(draw('nodes')));
  const isLarge = nodes > smallNodes;
  const scenario: Scenario = {
    ...defaultScenario,
    seed,
    nodes,
    without,
    tree: draw('tree').isTrue(0.8) ? 'spread' : 'packed',
    weights: drawWeights(draw, nodes),
    prioritiesBy: draw('prioritiesBy').isTrue(0.5) ? 'id' : 'weight',
    threshold: draw('threshold').oneOf([0.51, 0.67, 0.9, 0.99, 1]),
    network: network ?? drawNetwork(draw('network')),
    tor: draw('is behind Tor').isTrue(0.9) ? 0 : draw('tor').share(1),
    dead: draw('is dead').isTrue(0.5) ? 0 : draw('dead').share(0.3),
    absent: draw('is absent').isTrue(0.8) ? 0 : draw('absent').share(0.3),
    absentMs: draw('absentMs').from(1, 3001),
    desyncMs: draw('is desynchronised').isTrue(0.6) ? 0 : draw('desyncMs').from(0, 1000),
    periodMs: draw('periodMs').oneOf(isLarge ? [10, 20] : [5, 10, 20, 50]),
    levelStartMs: draw('levelStartMs').oneOf([0, 20, 50, 100]),
    fastPath: draw('fastPath').oneOf([0, 1, 4, 10]),
    backOff: draw('backOff').isTrue(0.8),
    verifyMs: draw('verifyMs').oneOf(isLarge ? [0, 4, 10] : [0, 1, 4, 10, 20]),
    priorities: draw('priorities').oneOf(['shifted', 'independent'] as const),
    branching: draw('branching').oneOf([2, 2, 2, 2, 4, 8] as const),
    window: draw('window').isTrue(0.8) ? 'relative' : 'paper',
    batch: draw('batch').oneOf([1, 1, 2, 16]),
    attacks: drawAttacks(draw, seed),
  };
  return { ...scenario, faults: [...drawFaults(draw('faults'), scenario), ...drawSilence(draw)] };
}

/**
 * Draws weights: equal weights in four of five scenarios, otherwise a Pareto distribution, or a list in which a few
 * nodes have most of the weight.
 */
function drawWeights(draw: (purpose: string) => Draw, nodes: number): string {
  if (draw('is equal').isTrue(0.8)) return 'equal';
  const heavy = Math.min(nodes - 1, draw('heavy').from(1, 4));
  const list = `${nodes - heavy}x1,${heavy}x${draw('weight').oneOf([10, 1000, 1_000_000])}`;
  return draw('weights').oneOf([`pareto:${draw('exponent').oneOf([0.5, 1, 2])}`, list]);
}

function drawNetwork(draw: Draw): string {
  return draw.oneOf(['aws', 'distance', `constant:${draw.from(0, 20)}`, `constant:${draw.from(0, 200)}`]);
}

/**
 * Draws the number of nodes: in two of three scenarios at most 16, a number at which nearly all orders of events occur.
 */
function drawNodes(draw: Draw): number {
  if (!draw.isTrue(0.95)) {
    if (!draw.isTrue(0.9)) return draw.from(mediumNodes + 1, largestNodes);
    return draw.from(smallNodes + 1, mediumNodes);
  }
  const max = draw.oneOf([4, 8, 16, 16, 32, 32, 48, smallNodes]);
  return draw.from(2, max);
}

/**
 * Draws zero, one or two attacks. One attack controls at most 49 % of the nodes, and two attacks together control at
 * most 66 %, so that some nodes are neither dead nor Byzantine. At least one attack in two is composed level by level.
 */
function drawAttacks(draw: (purpose: string) => Draw, seed: number): readonly AttackShare[] {
  const names = attacks.filter(({ against }) => against.includes('handel')).map(({ name }) => name);
  const length = draw('attacks').oneOf([0, 1, 1, 2]);
  const drawn = new Set(
    Array.from({ length }, (_, place) =>
      draw(`is attack ${place} composed`).isTrue(0.5)
        ? acrossLevels.name
        : chooseNamed(names, seed, `swarm: attack ${place}`),
    ),
  );
  const random = new RandomStream(seed, 'swarm: composition');
  return [...drawn].map((name) => {
    const share = draw(`share of ${name}`).share(length === 1 ? 0.49 : 0.33);
    return name === acrossLevels.name
      ? { name, share, plan: compositionText(randomComposition(random)) }
      : { name, share };
  });
}

/** Draws faults: no faults in half of the scenarios. Temporary faults end within three seconds. */
function drawFaults(draw: Draw, scenario: Scenario): readonly Fault[] {
  if (draw.isTrue(0.5)) return [];
  return generateFaults(scenario, { seed: scenario.seed, healedByMs: draw.from(100, 3000) });
}

/**
 * Draws, for one scenario in ten, a period of up to two seconds in which almost no message arrives: most messages are
 * lost, or about half of the nodes are disconnected from the others.
 */
function drawSilence(draw: (purpose: string) => Draw): readonly Fault[] {
  if (draw('is silent').isTrue(0.9)) return [];
  const times = draw('silence');
  const window = { atMs: times.from(0, 1000), forMs: times.from(1, 2000) };
  return draw('is cut off').isTrue(0.5)
    ? [{ kind: 'partition', nodes: { share: 0.5 }, ...window }]
    : [{ kind: 'loss', share: draw('loss').oneOf([0.9, 0.99, 1]), ...window }];
}
