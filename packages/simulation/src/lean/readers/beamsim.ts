import { expected } from '@tutti/core/internal';
import { type PlainValue, readPlainYaml } from '../files.ts';
import { defaultLeanScenario, type LeanScenario } from '../slot/scenario.ts';

/** A file of another simulator as a slot of ours. */
export interface ReadLeanFile {
  readonly scenario: LeanScenario;
  /** Fields that the other simulator does not have either, as far as is known; and those that nothing here runs. */
  readonly unknown: readonly string[];
  readonly leftOut: readonly string[];
  /** What the scenario takes in place of what the file does not say. */
  readonly notes: readonly string[];
}

/** BEAMSIM's fields and their defaults (qdrvm/beamsim@c3c34fc3, cli.hpp); undefined where there is none. */
const fields: Readonly<Record<string, string | number | boolean | undefined>> = {
  backend: 'ns3-direct',
  topology: 'gossip',
  random_seed: 0,
  shuffle: false,
  snark1_group_once: true,
  snark1_pull: true,
  snark1_pull_early: false,
  snark1_global_push: true,
  snark1_half_direct: false,
  signature_half_direct: 0,
  'roles.group_count': 4,
  'roles.group_validator_count': 4,
  'roles.group_local_aggregator_count': 1,
  'roles.global_aggregator_count': 1,
  'gossip.mesh_n': 4,
  'gossip.non_mesh_n': 4,
  'gossip.idontwant': false,
  'consts.signature_time': '20ms',
  'consts.signature_size': 3072,
  'consts.snark_size': 131_072,
  'consts.snark1_threshold': 0.9,
  'consts.snark2_threshold': 0.66,
  'consts.aggregation_rate_per_sec': 1000,
  'consts.snark_recursion_aggregation_rate_per_sec': 100,
  'consts.pq_signature_verification_time': '3ms',
  'consts.snark_proof_verification_time': '10ms',
  'network.gml': undefined,
  'network.gml_bitrate': 0,
  'network.max_bitrate': '100Mbps',
  'network.direct.bitrate.min': undefined,
  'network.direct.bitrate.max': undefined,
  'network.direct.delay.min': undefined,
  'network.direct.delay.max': undefined,
};
const simulated = [
  'topology',
  'random_seed',
  'roles.group_count',
  'roles.group_validator_count',
  'roles.group_local_aggregator_count',
  'consts.signature_time',
  'consts.signature_size',
  'consts.snark_size',
  'consts.snark1_threshold',
  'consts.aggregation_rate_per_sec',
  'consts.snark_recursion_aggregation_rate_per_sec',
  'consts.pq_signature_verification_time',
  'consts.snark_proof_verification_time',
  'network.max_bitrate',
];

/**
 * A BEAMSIM file as a slot: its groups are subnets, its local aggregators replicas.
 *
 * @throws RangeError in one line, for a value that BEAMSIM would not take.
 */
export function readBeamsim(text: string): ReadLeanFile {
  const given = flat(readPlainYaml(text));
  const value = (name: string) => given.get(name) ?? fields[name];
  const number = (name: string) => plainNumber(name, value(name));
  const groups = number('roles.group_count');
  const ofGroup = number('roles.group_validator_count');
  const local = localAggregators(value('roles.group_local_aggregator_count'), ofGroup);
  const topology = String(value('topology'));
  if (topology !== 'gossip' && topology !== 'direct' && topology !== 'grid') {
    throw new RangeError(expected('topology', 'gossip, direct or grid', topology));
  }
  const base = defaultLeanScenario;
  const mbps = megabits('network.max_bitrate', value('network.max_bitrate'));
  const attestMs = milliseconds('consts.signature_time', value('consts.signature_time'));
  const kiB = number('consts.snark_size') / 1024;
  const times = { ...base.profile.times, attestMs, latestAttestMs: attestMs, earlyMs: attestMs };
  const scenario: LeanScenario = {
    ...base,
    rival: topology,
    subnets: groups,
    aggregators: groups * local,
    nodes: Math.max(groups * ofGroup, groups * local + 1),
    aggregatorMbps: mbps,
    upMbps: mbps,
    downMbps: mbps,
    skewMs: 0,
    leafShare: number('consts.snark1_threshold'),
    seed: number('random_seed'),
    profile: {
      ...base.profile,
      name: 'beamsim',
      source: 'a file of BEAMSIM',
      validators: groups * ofGroup,
      subnets: groups,
      times,
      votes: { bytes: number('consts.signature_size'), dataBytes: 0 },
      circuit: 'rates',
      cores: 1,
      prover: {
        perVoteMs: 1000 / number('consts.aggregation_rate_per_sec'),
        perVoteCoreMs: 0,
        perChildMs: 1000 / number('consts.snark_recursion_aggregation_rate_per_sec'),
        perChildCoreMs: 0,
        mergeInChildren: 0,
        fixedMs: 0,
        floorMs: 0,
      },
      proof: { leafKiB: kiB, perVoteKiB: 0, mergedKiB: kiB, perChildKiB: 0, mostKiB: kiB },
      verifier: {
        proofMs: milliseconds('consts.snark_proof_verification_time', value('consts.snark_proof_verification_time')),
        whileProving: 1,
        voteMs: milliseconds('consts.pq_signature_verification_time', value('consts.pq_signature_verification_time')),
      },
    },
  };
  return {
    scenario,
    unknown: [...given.keys()].filter((name) => !Object.hasOwn(fields, name)),
    leftOut: [...given.keys()].filter((name) => Object.hasOwn(fields, name) && !simulated.includes(name)),
    notes: [
      'latencies: between cities, in place of the file’s map',
      'votes: over one relay, without meshes',
      'snark2_threshold: 0.66, and two global aggregators',
    ],
  };
}

/** By the path of each scalar, `a.b.c`. */
export function flat(map: { readonly [key: string]: PlainValue }, before = ''): Map<string, string | number | boolean> {
  const all = new Map<string, string | number | boolean>();
  for (const [key, value] of Object.entries(map)) {
    if (typeof value === 'object') for (const [path, inner] of flat(value, `${before}${key}.`)) all.set(path, inner);
    else all.set(`${before}${key}`, value);
  }
  return all;
}

function plainNumber(name: string, value: unknown): number {
  if (typeof value !== 'number') throw new RangeError(expected(name, 'a number', value));
  return value;
}

/** A count, or a share of the group such as "10%". */
function localAggregators(value: unknown, ofGroup: number): number {
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(String(value)) ?? [];
  if (percent !== undefined) return Math.max(1, Math.floor((Number(percent) / 100) * ofGroup));
  return plainNumber('roles.group_local_aggregator_count', value);
}

function milliseconds(name: string, value: unknown): number {
  const [, number, unit] = /^(\d+)(ms|us)$/.exec(String(value)) ?? [];
  if (number === undefined) throw new RangeError(expected(name, 'an integer with ms or us', value));
  return Number(number) / (unit === 'us' ? 1000 : 1);
}

function megabits(name: string, value: unknown): number {
  const [, number, unit] = /^(\d+)(Mbps)?$/.exec(String(value)) ?? [];
  if (number === undefined) throw new RangeError(expected(name, 'an integer, alone or with Mbps', value));
  return unit === undefined ? Number(number) / 1e6 : Number(number);
}
