import { expect, it } from 'vitest';
import { readPlainToml, readPlainYaml } from './files.ts';

it('YAML: maps by indentation, scalars, comments', () => {
  const text =
    "backend: ns3  # the network\nconsts:\n  signature_time: 20ms\n  snark_size: 131_072\nroles:\n  group:\n    count: 4\nshuffle: false\nname: 'a # b'\n";
  expect(readPlainYaml(text)).toEqual({
    backend: 'ns3',
    consts: { signature_time: '20ms', snark_size: 131072 },
    roles: { group: { count: 4 } },
    shuffle: false,
    name: 'a # b',
  });
  expect(() => readPlainYaml('a: 1\n- b')).toThrow('line 2: expected KEY: VALUE, got "- b"');
  expect(() => readPlainYaml('a: [1, 2]')).toThrow('line 1: expected a number, a text, true or false, got "[1, 2]"');
});

it('TOML: tables, quoted keys, ranges', () => {
  const text =
    '# runs\n[fuzzer]\nmax_runs = 200\n[network.bandwidths]\n"1 Gbit" = { min = 0.03, max = 0.08 }\n[clients]\nzeam = 1\n';
  expect(readPlainToml(text)).toEqual({
    fuzzer: { max_runs: 200 },
    network: { bandwidths: { '1 Gbit': { min: 0.03, max: 0.08 } } },
    clients: { zeam: 1 },
  });
  expect(() => readPlainToml('[a')).toThrow('line 1: expected KEY = VALUE or [TABLE], got "[a"');
});
