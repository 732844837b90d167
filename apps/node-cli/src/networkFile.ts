import { existsSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { expected } from '@tutti/core/input';
import { type LatencyMatrix, matrixNetwork } from '@tutti/simulation';
import { giveNetwork, networkForms, networkText } from '@tutti/simulation/engine';
import type { TextReader } from '@tutti/simulation/fields';
import { warn } from './context.ts';
import type { LatencyReading } from './files/latencies.ts';
import { latencyForms, readLatencies } from './files/latencyFile.ts';
import { type InputFile, readInput } from './output/inputs.ts';

type FileNetwork = `${'file' | 'rtt' | 'shortest'}:${string}`;

/** Networks that `--network` reads from a file, for messages. */
export const networkFileForm = `file:FILE, ${latencyForms}; rtt:FILE for round-trip latencies; shortest:FILE to use the fastest paths`;

/** Networks that `--network` accepts, for help and errors. */
export const networkChoices = `${networkForms}; or ${networkFileForm}`;

/** Maximum size of a network file, bytes. A graph with an edge between any two places takes a tenth of it. */
const maxNetworkBytes = 2 ** 26;

export function isFileNetwork(network: string): network is FileNetwork {
  return /^(file|rtt|shortest):/.test(network);
}

/**
 * Reads the file that a network's name contains, so that scenarios of this thread can use it. Other networks are
 * ignored.
 *
 * @param isRecorded whether the run is recorded, which limits the number of places.
 * @throws WorldError for a file that cannot be read; RangeError, with its name, for a file in none of the supported
 * forms.
 */
export function takeNetworkFile(network: string, isRecorded = false): void {
  if (!isFileNetwork(network)) return;
  const [form, path] = [network.slice(0, network.indexOf(':')), network.slice(network.indexOf(':') + 1)];
  const { text, input } = readInput(path, maxNetworkBytes);
  const files = [input];
  const readNeighbour = (neighbour: string): string => {
    const read = readInput(neighbour, maxNetworkBytes);
    files.push(read.input);
    return read.text;
  };
  const reading: LatencyReading = { isRoundTrip: form === 'rtt', isShortest: form === 'shortest', isRecorded };
  try {
    const { notes, ...matrix } = readLatencies(path, text, reading, readNeighbour);
    for (const note of notes) warn(`${path}: ${note}`);
    giveLatencies(network, matrix);
    taken.set(network, { ...matrix, inputs: files });
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${path}: ${error.message}`) : error;
  }
}

/** Latencies of a file, and the file. */
export interface TakenNetwork extends LatencyMatrix {
  readonly inputs: readonly InputFile[];
}

/** Networks of files, by their names in scenarios. */
export type TakenNetworks = Readonly<Record<string, TakenNetwork>>;

const taken = new Map<string, TakenNetwork>();

/** Returns the networks of files among the given names, as this thread has read them. */
export function takenNetworks(names: Iterable<string>): TakenNetworks {
  const files = [...new Set(names)].filter((name) => taken.has(name));
  return Object.fromEntries(files.map((name) => [name, taken.get(name)!]));
}

/**
 * Registers the networks of the thread that started this one for scenarios of this thread.
 *
 * @returns these networks.
 */
export function takeThreadNetworks(): TakenNetworks {
  const networks = (workerData ?? {}) as TakenNetworks;
  giveNetworks(networks);
  return networks;
}

/** Registers networks that another thread or machine has read for scenarios of this thread. */
export function giveNetworks(networks: TakenNetworks): void {
  for (const [name, matrix] of Object.entries(networks)) giveLatencies(name, matrix);
}

function giveLatencies(network: string, matrix: LatencyMatrix): void {
  giveNetwork(network as `${string}:${string}`, (nodes, seed) => matrixNetwork(matrix, nodes, seed));
}

/**
 * Calls {@link takeNetworkFile} for a network that a user wrote. @throws RangeError with the label for a path without a
 * form, too.
 */
export function takeGivenNetwork(label: string, network: string, isRecorded = false): void {
  if (isFileNetwork(network) && network.endsWith(':')) throw new RangeError(expected(label, networkFileForm, network));
  if (!isFileNetwork(network) && /[./\\]/.test(network) && existsSync(network))
    throw new RangeError(`${expected(label, 'file:FILE for a file', network)}; say file:${network}`);
  try {
    takeNetworkFile(network, isRecorded);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${label}: ${error.message}`) : error;
  }
}

/** Reads a network that a user gave: a name, or a file, which is read immediately. */
export const networkOrFileText: TextReader<string> = (label, text) => {
  takeGivenNetwork(label, text);
  return withFileForms(() => networkText(label, text));
};

/**
 * Calls a reader that only knows the names of networks.
 *
 * @throws RangeError of the reader, with the forms of files added.
 */
export function withFileForms<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(error.message.replace(networkForms, networkChoices), { cause: error });
  }
}
