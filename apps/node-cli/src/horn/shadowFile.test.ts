import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readShadowFile } from './shadowFile.ts';

const example = (name: string) => readFileSync(new URL(`../../../../examples/shadow/${name}`, import.meta.url), 'utf8');

describe('readShadowFile(text, network)', () => {
  it('reads an experiment: one topology, and each of its simulations', () => {
    const [classic, bundles, ...others] = readShadowFile(example('val10-500.yaml'), 'aws');
    expect(others).toEqual([]);
    expect(classic).toMatchObject({
      name: 'classic',
      experiment: {
        ...{ nodes: 500, topics: 2, publishers: 500, slots: 2, slotMs: 10_000, messageBytes: 224, superShare: 0.2 },
        ...{ batchMs: 10, eachUs: 100, byReceipt: false, network: 'aws', seed: 42 },
        gossip: { d: 8, dLow: 6, dHigh: 12, fanout: 1 },
      },
    });
    expect(classic!.experiment.gossip.bundles).toBeUndefined();
    expect(bundles).toMatchObject({
      name: 'bundles',
      experiment: { byReceipt: true, gossip: { bundles: { tickMs: 20 } } },
    });
  });

  it('reads a single simulation, whose topology is within, and one large message', () => {
    const single = 'simulation:\n  topology: { num_nodes: 32, degree: 20 }\n  num_slots: 3\n';
    expect(readShadowFile(single, 'aws')).toMatchObject([{ experiment: { nodes: 32, slots: 3, publishers: 0 } }]);
    expect(readShadowFile(example('block.yaml'), 'aws')).toMatchObject([
      { name: 'block', experiment: { nodes: 1000, slots: 5, messageBytes: 2 ** 20, publishers: 0 } },
    ]);
  });

  it('reads the slots of eth-slot-sim: a block, and a subnet of finality votes with its members and aggregators', () => {
    const [block] = readShadowFile(example('n1000-1mb.yaml'), 'aws');
    expect(block).toMatchObject({
      name: 'block',
      experiment: { nodes: 1000, slots: 5, slotMs: 12_000, messageBytes: 2 ** 20, batchMs: 10, seed: 42 },
    });
    const { name, experiment } = readShadowFile(example('n4000-seg-partial-k5.yaml'), 'aws')[0]!;
    expect(name).toBe('finality votes in bundles');
    // Theirs had 115.4 receivers a vote, and 2,039 votes a subnet and slot.
    expect(experiment).toMatchObject({ nodes: 116, publishers: 2050, batch: 300, superShare: 0.5 });
    expect(experiment.gossip).toMatchObject({ d: 5, dLow: 5, dHigh: 7, fanout: 5, bundles: { dataBytes: 128 } });
  });

  it.each([
    ['[', 'the file: expected YAML, got "["'],
    ['just words', 'the file: expected fields with values, got "just words"'],
    ['topology: {}', 'simulations: expected a list of simulations, got undefined'],
    ['topology: { type: ring }\nsimulations: [{}]', 'topology.type: expected random, got "ring"'],
    ['topology: { num_nodes: many }\nsimulations: [{}]', 'num_nodes: expected a number, got "many"'],
    [
      'topology: {}\nsimulations: [{ use_attprop: true }]',
      'use_attprop: expected not there, for it is not played here, got true',
    ],
    [
      'topology: {}\nsimulations: [{ attestation_validation_delay_ms: 5, validation_batch_window_ms: 50 }]',
      'validation_batch_window_ms: expected at most attestation_validation_delay_ms, 5, got 50',
    ],
    ['algorithm: { name: RLNC }', 'algorithm.name: expected gossipsub, got "RLNC"'],
  ])('refuses %j in one line', (text, line) => {
    expect(() => readShadowFile(text, 'aws')).toThrow(new RangeError(line));
  });
});
