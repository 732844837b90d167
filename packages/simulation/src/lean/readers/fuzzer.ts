import { RandomStream } from '@tutti/core';
import { expected } from '@tutti/core/internal';
import { type PlainValue, readPlainToml } from '../files.ts';
import { defaultLeanScenario, type LeanScenario } from '../slot/scenario.ts';
import { flat, type ReadLeanFile } from './beamsim.ts';

/** Fields of lean-shadow-fuzzer (geanlabs, 0b5e524f) that are one value each, and their defaults. */
const fields: Readonly<Record<string, number | undefined>> = {
  'fuzzer.seed': 0,
  'simulation.total_nodes': undefined,
  'simulation.total_subnets': undefined,
  'simulation.aggregators_per_subnet': 1,
  'simulation.signatures_aggregation_rate': 22.704,
  'simulation.recursive_aggregation_rate': 0,
};
/** What nothing here runs. */
const leftOut = [
  /^fuzzer\.(max_runs|duration_secs|output_dir|runner|base_genesis_dir|render_notebooks)$/,
  /^(clients|docker_arm|client_images)\./,
  /^network\.(latency_jitter_ratio|packet_loss)(\.(min|max))?$/,
  /^network\.regions\./,
];
const bandwidth = /^network\.bandwidths\.(\d+) (Gbit|Mbit)(?:\.(min|max))?$/;

/**
 * A fuzzer's file as a slot; ranges are drawn by its seed and the number of the run.
 *
 * @throws RangeError in one line, for what it lacks.
 */
export function readFuzzer(text: string, runIndex = 0): ReadLeanFile {
  const parsed = readPlainToml(text);
  const given = flat(parsed);
  const seed = given.get('fuzzer.seed');
  const random = new RandomStream((typeof seed === 'number' ? seed : 0) + runIndex, 'lean fuzzer');
  const value = (name: string, isInteger = false) => drawn(name, parsed, random, isInteger) ?? required(name);
  const nodes = value('simulation.total_nodes', true);
  const subnets = value('simulation.total_subnets', true);
  const aggregators = subnets * value('simulation.aggregators_per_subnet', true);
  const perSecond = value('simulation.signatures_aggregation_rate');
  const merges = value('simulation.recursive_aggregation_rate');
  const mbps = mostFrequent(given);
  const base = defaultLeanScenario;
  const scenario: LeanScenario = {
    ...base,
    rival: 'spec',
    subnets,
    aggregators,
    nodes: Math.max(nodes, aggregators + 1),
    upMbps: mbps,
    downMbps: mbps,
    aggregatorMbps: mbps,
    seed: (typeof seed === 'number' ? seed : 0) + runIndex,
    profile: {
      ...base.profile,
      name: 'fuzzer',
      source: 'a file of lean-shadow-fuzzer',
      validators: nodes,
      subnets,
      circuit: 'rates',
      cores: 1,
      prover: {
        perVoteMs: 1000 / perSecond,
        perVoteCoreMs: 0,
        perChildMs: merges === 0 ? 0 : 1000 / merges,
        perChildCoreMs: 0,
        mergeInChildren: 0,
        fixedMs: 0,
        floorMs: 0,
      },
    },
  };
  const isKnown = (name: string) =>
    Object.keys(fields).some((field) => name === field || name.startsWith(`${field}.`)) || bandwidth.test(name);
  const names = [...given.keys()];
  return {
    scenario,
    unknown: names.filter((name) => !isKnown(name) && !leftOut.some((form) => form.test(name))),
    leftOut: names.filter((name) => leftOut.some((form) => form.test(name))),
    notes: [
      merges === 0 ? 'merging is free of charge, as the clients under Shadow play it' : 'merging costs its own rate',
      `links: ${mbps} Mbit/s for all, the most frequent class of the file`,
      'latencies: between cities, in place of the file’s regions',
    ],
  };
}

function required(name: string): number {
  const standing = fields[name];
  if (standing === undefined) throw new RangeError(expected(name, 'a number or { min, max }', undefined));
  return standing;
}

/** A number, or one drawn from `{ min, max }`. */
function drawn(name: string, map: PlainValue, random: RandomStream, isInteger: boolean): number | undefined {
  const found = name
    .split('.')
    .reduce<PlainValue | undefined>((at, key) => (typeof at === 'object' ? at[key] : undefined), map);
  if (found === undefined) return undefined;
  if (typeof found === 'number') return found;
  const { min, max } = typeof found === 'object' ? found : { min: undefined, max: undefined };
  if (typeof min !== 'number' || typeof max !== 'number' || max < min) {
    throw new RangeError(expected(name, 'a number or { min, max }', found));
  }
  return isInteger ? min + random.nextBelow(max - min + 1) : min + (max - min) * random.nextUnit();
}

/** Megabits a second of the class with the largest weight; 50 without any. */
function mostFrequent(given: ReadonlyMap<string, string | number | boolean>): number {
  let most = 0;
  let mbps = 50;
  for (const [name, weight] of given) {
    const [, size, unit, end] = bandwidth.exec(name) ?? [];
    if (size === undefined || end === 'min' || typeof weight !== 'number' || weight <= most) continue;
    most = weight;
    mbps = Number(size) * (unit === 'Gbit' ? 1000 : 1);
  }
  return mbps;
}
