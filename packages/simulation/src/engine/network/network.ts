import { expected, requireText } from '@tutti/core/settings';
import { badChoice, type TextReader } from '../../text/fieldText.ts';
import { awsBlocksNetwork, awsNetwork } from './awsNetwork.ts';
import { givenNetwork, isTabled, loadedNetwork, type MakeNetwork } from './cityTables.ts';
import { distanceNetwork } from './distanceNetwork.ts';
import { mixedNetwork } from './mixedNetwork.ts';
import { type NamedNetwork, steady } from './networkModel.ts';
import { behindTor } from './torNetwork.ts';

/** The networks that a scenario can name, for messages to people. */
export const networkForms =
  'aws, aws-blocks, aws-blocks:MACHINES, cities, cities-by-distance, distance, constant:MS or mixed:FASTMS,SLOWMS,SLOWSHARE with MS from 0 to 60000';

const networkNames = ['aws', 'aws-blocks', 'cities', 'cities-by-distance', 'distance', 'constant', 'mixed'];

/** Reads a network that a person wrote. */
export const networkText: TextReader<string> = (label, text) => {
  requireText('text', text);
  try {
    validateNetwork(text);
    return text;
  } catch {
    throw badChoice(label, networkNames, text, networkForms, text.split(':', 1)[0]);
  }
};

const mostMachines = 2 ** 20;

/** The longest latency that a network can be given, ms. */
const longestMs = 60_000;

/** Whether a network's nodes are on machines, which several of them may share. */
export function hasMachines(name: string): boolean {
  return name.split(':', 1)[0] === 'aws-blocks';
}

/** @throws RangeError for a name that has none of the {@link networkForms}. */
export function validateNetwork(name: string): void {
  requireText('network', name);
  if (!isTabled(name) && givenNetwork(name) === undefined) makerOf(name);
}

/**
 * Makes the network of that name, with its jitter drawn by the seed.
 *
 * @param tor share of the nodes that are behind Tor, in [0, 1].
 * @throws RangeError for an invalid name, see {@link networkForms}. @throws Error for a network whose table was not
 *   loaded by `loadNetwork`.
 */
export function createNetwork(name: string, nodes: number, seed: number, tor = 0): NamedNetwork {
  requireText('network', name);
  const network = (givenNetwork(name) ?? (isTabled(name) ? loadedNetwork(name) : makerOf(name)))(nodes, seed);
  return tor === 0 ? network : behindTor(network, tor, nodes, seed);
}

function makerOf(name: string): MakeNetwork {
  if (name === 'aws') return awsNetwork;
  if (name === 'aws-blocks') return awsBlocksNetwork;
  if (name === 'distance') return distanceNetwork;
  const [form, text = ''] = name.split(':', 2);
  const numbers = name.split(':').length === 2 ? text.split(',').map(plainNumber) : [];
  const [first = Number.NaN, second = Number.NaN, share = Number.NaN] = numbers;
  if (form === 'aws-blocks' && numbers.length === 1 && Number.isInteger(first) && first >= 1 && first <= mostMachines)
    return (nodes, seed) => awsBlocksNetwork(nodes, seed, first);
  if (form === 'constant' && numbers.length === 1 && first <= longestMs)
    return (nodes) => constantNetwork(nodes, first);
  if (form === 'mixed' && numbers.length === 3 && first <= longestMs && second <= longestMs && share <= 1)
    return (nodes, seed) => mixedNetwork(nodes, seed, first, second, share);
  throw new RangeError(expected('network', networkForms, name));
}

/** Plain decimals alone; NaN for anything else. */
function plainNumber(text: string): number {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function constantNetwork(nodes: number, latencyMs: number): NamedNetwork {
  const latencyUs = Math.max(1, Math.round(latencyMs * 1000));
  return { regionNames: ['everywhere'], region: new Uint8Array(nodes), ...steady(() => latencyUs) };
}
