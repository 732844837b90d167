import { existsSync } from 'node:fs';
import { expected } from '@tutti/core/settings';
import { matrixNetwork } from '@tutti/simulation';
import { giveNetwork, networkText } from '@tutti/simulation/engine';
import type { TextReader } from '@tutti/simulation/fields';
import type { LatencyReading } from './files/latencies.ts';
import { latencyForms, readLatencies } from './files/latencyFile.ts';
import { readNamed } from './output/files.ts';
import { warn } from './output/warnings.ts';

type FileNetwork = `${'file' | 'rtt' | 'shortest'}:${string}`;

/** The networks that `--network` takes from a file, for messages to people. */
export const networkFileForm = `file:FILE, ${latencyForms}; rtt:FILE for round trips; shortest:FILE for fastest paths`;

/** A graph with an edge between any two of its places takes a tenth of it. */
const maxNetworkBytes = 2 ** 26;

/** Whether a network is a file's. */
export function isFileNetwork(network: string): network is FileNetwork {
  return /^(file|rtt|shortest):/.test(network);
}

/**
 * Reads the file that a network names, so that scenarios of this thread find it; other networks are left alone. A
 * warning names what of the file is not used.
 *
 * @throws WorldError for a file that cannot be read; RangeError, naming it, for one that has none of the forms.
 */
export function takeNetworkFile(network: string): void {
  if (!isFileNetwork(network)) return;
  const [form, path] = [network.slice(0, network.indexOf(':')), network.slice(network.indexOf(':') + 1)];
  const text = readNamed(path, maxNetworkBytes);
  const reading: LatencyReading = { isRoundTrip: form === 'rtt', isShortest: form === 'shortest' };
  try {
    const { notes, ...matrix } = readLatencies(path, text, reading, (beside) => readNamed(beside, maxNetworkBytes));
    for (const note of notes) warn(`${path}: ${note}`);
    giveNetwork(network, (nodes, seed) => matrixNetwork(matrix, nodes, seed));
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${path}: ${error.message}`) : error;
  }
}

/** {@link takeNetworkFile} of a network that a person wrote. @throws also RangeError with the label in front. */
export function takeGivenNetwork(label: string, network: string): void {
  if (isFileNetwork(network) && network.endsWith(':')) throw new RangeError(expected(label, networkFileForm, network));
  if (!isFileNetwork(network) && /[./\\]/.test(network) && existsSync(network))
    throw new RangeError(`${expected(label, 'file:FILE for a file', network)}; say file:${network}`);
  try {
    takeNetworkFile(network);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`${label}: ${error.message}`) : error;
  }
}

/** Reads a network that a person wrote: one that has a name, or a file, which is read at once. */
export const networkOrFileText: TextReader<string> = (label, text) => {
  takeGivenNetwork(label, text);
  return networkText(label, text);
};
