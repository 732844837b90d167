import { workerData } from 'node:worker_threads';
import { type LatencyMatrix, matrixNetwork } from '@tutti/simulation';
import { type FileNetwork, networkForms, registerNetwork } from '@tutti/simulation/engine';
import type { InputFile } from './output/files.ts';

/** Forms of a latency file, for messages. */
const latencyForms =
  "a GML graph, Shadow's YAML, a square matrix or a list of edges in CSV or TSV, or JSON, with one-way latencies in ms";

/** Networks that `--network` reads from a file, for messages. */
export const networkFileForm = `file:FILE, ${latencyForms}; rtt:FILE for round-trip latencies; shortest:FILE to use the fastest paths`;

/** Networks that `--network` accepts, for help and errors. */
export const networkChoices = `${networkForms}; or ${networkFileForm}`;

export function isFileNetwork(network: string): network is FileNetwork {
  return /^(file|rtt|shortest):/.test(network);
}

/** Latencies of a network file, and the files that were read. */
export interface ReadNetwork extends LatencyMatrix {
  readonly inputs: readonly InputFile[];
}

/** Networks that were read from files, by their names in scenarios. */
export type ReadNetworks = Readonly<Record<string, ReadNetwork>>;

const readNetworks = new Map<string, ReadNetwork>();

/**
 * Registers a network that this thread has read from files, for the scenarios of this thread and for threads that it
 * starts.
 */
export function registerReadNetwork(name: FileNetwork, network: ReadNetwork): void {
  registerMatrix(name, network);
  readNetworks.set(name, network);
}

/** Returns those of the named networks that this thread has read from files. */
export function readNetworksAmong(names: Iterable<string>): ReadNetworks {
  const files = [...new Set(names)].filter((name) => readNetworks.has(name));
  return Object.fromEntries(files.map((name) => [name, readNetworks.get(name)!]));
}

/**
 * Registers the networks of the parent thread for scenarios of this thread.
 *
 * @returns the registered networks.
 */
export function registerParentNetworks(): ReadNetworks {
  const networks = (workerData ?? {}) as ReadNetworks;
  registerNetworks(networks);
  return networks;
}

/** Registers, for scenarios of this thread, networks that another thread or machine has read. */
export function registerNetworks(networks: ReadNetworks): void {
  for (const name of Object.keys(networks).filter(isFileNetwork)) registerMatrix(name, networks[name]!);
}

/** Registers the latencies of a network for scenarios of this thread. */
function registerMatrix(name: FileNetwork, matrix: LatencyMatrix): void {
  registerNetwork(name, (nodes, seed) => matrixNetwork(matrix, nodes, seed));
}
