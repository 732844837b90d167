import { RandomStream, Stakes, shuffle, sumOfWeights, Tree } from '@tutti/core';
import { expected, shortened } from '@tutti/core/input';
import { badText, type TextReader } from '../text/fieldText.ts';
import type { Scenario } from './scenarioType.ts';

/** Form of the weights of a run's nodes, for errors and help. */
const weightsForm = 'equal, pareto:A with A from 0.1 to 100, or a list such as 24x1000,1000x1 with one weight per node';

/** Minimum weight of a Pareto distribution, large enough that rounding to integers changes little. */
const minPareto = 1000;

/** Maximum weight of a Pareto distribution. Without this limit, a single node could have almost all of the weight. */
const maxPareto = 2 ** 40;

/** Maximum number of weights: one per node for a million nodes. */
const maxWeights = 2 ** 20;

/** Maximum number of nodes for which each ranks all others by weight; the ranks take 4 N^2 bytes. */
const maxRankedByWeight = 8192;

type WeightsOfRun =
  | { readonly kind: 'equal' }
  | { readonly kind: 'pareto'; readonly exponent: number }
  | { readonly kind: 'list'; readonly weights: readonly bigint[] };

/** Parses a text that describes weights. @throws RangeError for an invalid text. */
function parseWeights(label: string, text: string): WeightsOfRun {
  if (text === 'equal') return { kind: 'equal' };
  const [, exponentText] = /^pareto:(\d{1,3}(?:\.\d{1,6})?)$/.exec(text) ?? [];
  const exponent = Number(exponentText);
  if (exponent >= 0.1 && exponent <= 100) return { kind: 'pareto', exponent };
  const weights: bigint[] = [];
  // The text is read part by part, because an expression that matches the whole text would need a stack in proportion
  // to the length of the list.
  for (const part of text.split(',', maxWeights + 1)) {
    const [, count = '1', weight] = /^(?:(\d{1,7})x)?(\d{1,19})$/.exec(part) ?? [];
    if (weight === undefined || weights.length + Number(count) > maxWeights) throw badText(label, weightsForm, text);
    for (let left = Number(count); left > 0; left--) weights.push(BigInt(weight));
  }
  try {
    sumOfWeights(weights);
  } catch (cause) {
    throw new RangeError(expected(label, 'positive weights with a sum of less than 2^63', shortened(text, 40)), {
      cause,
    });
  }
  return { kind: 'list', weights };
}

/** Reads weights that a user typed. */
export const weightsText: TextReader<string> = (label, text) => {
  parseWeights(label, text);
  return text;
};

/** Checks a text that describes weights. @throws RangeError for an invalid text. */
export function validateWeights(label: string, text: string): void {
  if (typeof text !== 'string') throw new RangeError(expected(label, weightsForm, text));
  parseWeights(label, text);
}

/** Checks the weights with the rest of a scenario. @throws RangeError that names the field. */
export function validateWeightsWith({
  weights,
  nodes,
  threshold,
  protocol,
  prioritiesBy,
  completeGraph,
}: Scenario): void {
  const read = parseWeights('weights', weights);
  if (read.kind === 'equal') return;
  const isGraph = protocol === 'complete-graph';
  if (protocol !== 'handel' && !isGraph)
    throw new RangeError(expected('protocol with weights', 'handel or complete-graph', protocol));
  if (isGraph && completeGraph.verification !== 'each')
    throw new RangeError(expected('verification with weights', 'each', completeGraph.verification));
  if (threshold > 1) throw new RangeError(expected('threshold with weights', 'a share of the live weight', threshold));
  if (read.kind === 'list' && read.weights.length !== nodes)
    throw new RangeError(expected('weights', `one for each of ${nodes} nodes`, read.weights.length));
  if (prioritiesBy === 'weight' && nodes > maxRankedByWeight)
    throw new RangeError(
      expected('nodes when priorities are drawn by weight', `at most ${maxRankedByWeight}; or prioritiesBy id`, nodes),
    );
}

/**
 * Returns the weights of a run's nodes, either drawn from the run's seed or taken from a list that the seed shuffles,
 * as in the global shuffle (v1.0 section 4.3).
 *
 * @returns undefined for `equal` weights.
 */
export function stakesOf({ weights, nodes, seed, tree, branching }: Scenario): Stakes | undefined {
  const read = parseWeights('weights', weights);
  if (read.kind === 'equal') return undefined;
  const drawn =
    read.kind === 'pareto'
      ? pareto(nodes, read.exponent, new RandomStream(seed, 'weights'))
      : Array.from(shuffle(nodes, seed, 'weights'), (index) => read.weights[index]!);
  return new Stakes(new Tree(nodes, tree, branching), drawn);
}

/**
 * Draws weights from a Pareto distribution: a share u of the nodes has a weight of more than u^(-1/a) times the
 * minimum.
 */
function pareto(nodes: number, exponent: number, random: RandomStream): bigint[] {
  return Array.from({ length: nodes }, () => {
    const weight = minPareto * (1 - random.nextUnit()) ** (-1 / exponent);
    return BigInt(Math.round(Math.min(maxPareto, weight)));
  });
}
