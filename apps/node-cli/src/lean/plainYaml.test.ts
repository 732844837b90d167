import { expect, it } from 'vitest';
import { readPlainYaml } from './plainYaml.ts';

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
