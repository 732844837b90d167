import { expect, it } from 'vitest';
import { validateLeanScenario } from '../slot/scenario.ts';
import { readBeamsim } from './beamsim.ts';
import { readFuzzer } from './fuzzer.ts';

const beamsim = `backend: ns3
topology: grid
random_seed: 42
snark1_global_smart_push: true
roles:
  group_count: 8
  group_validator_count: 512
  group_local_aggregator_count: 10%
consts:
  snark1_threshold: 0.75
  snark_recursion_aggregation_rate_per_sec: 10
  pq_signature_verification_time: 30us
network:
  max_bitrate: 100Mbps
`;

it("reads BEAMSIM's file with its own defaults, and names what it does not know or play", () => {
  const { scenario, unknown, leftOut } = readBeamsim(beamsim);
  expect(scenario).toMatchObject({
    rival: 'grid',
    subnets: 8,
    aggregators: 8 * 51,
    leafShare: 0.75,
    seed: 42,
    upMbps: 100,
    profile: {
      validators: 4096,
      votes: { bytes: 3072 },
      prover: { perVoteMs: 1, perChildMs: 100 },
      verifier: { proofMs: 10, voteMs: 0.03 },
      proof: { leafKiB: 128 },
      times: { attestMs: 20 },
    },
  });
  expect([unknown, leftOut]).toEqual([['snark1_global_smart_push'], ['backend']]);
  expect(() => validateLeanScenario({ ...scenario, network: 'constant:20' })).not.toThrow();
  expect(() => readBeamsim('topology: ring')).toThrow('topology: expected gossip, direct or grid, got "ring"');
  expect(() => readBeamsim('consts:\n  signature_time: 20')).toThrow(
    'consts.signature_time: expected an integer with ms or us, got 20',
  );
});

const fuzzer = `[fuzzer]
seed = 42
max_runs = 200
[simulation]
total_nodes = 32
total_subnets = 2
aggregators_per_subnet = { min = 1, max = 2 }
signatures_aggregation_rate = 1000
[network.bandwidths]
"1 Gbit" = { min = 0.03, max = 0.08 }
"50 Mbit" = { min = 0.6, max = 0.9 }
[shadow]
turbo = 1
`;

it("reads the fuzzer's file: ranges by seed and run, merging free of charge, unknown fields by name", () => {
  const { scenario, unknown, leftOut, notes } = readFuzzer(fuzzer);
  expect(scenario).toMatchObject({ rival: 'spec', subnets: 2, nodes: 32, upMbps: 50, seed: 42 });
  expect(scenario.profile.prover).toMatchObject({ perVoteMs: 1, perChildMs: 0 });
  expect([unknown, leftOut]).toEqual([['shadow.turbo'], ['fuzzer.max_runs']]);
  expect(notes[0]).toBe('merging is free of charge, as the clients under Shadow play it');
  const drawn = Array.from({ length: 20 }, (_, run) => readFuzzer(fuzzer, run).scenario.aggregators);
  expect(new Set(drawn)).toEqual(new Set([2, 4]));
  expect(readFuzzer(fuzzer, 3)).toEqual(readFuzzer(fuzzer, 3));
  expect(() => readFuzzer('[simulation]\ntotal_nodes = 4')).toThrow(
    'simulation.total_subnets: expected a number or { min, max }, got undefined',
  );
});
