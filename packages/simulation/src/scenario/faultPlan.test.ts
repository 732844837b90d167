import { expect, it } from 'vitest';
import { type Fault, faultKinds, maxFaults, validateFaults } from './faultPlan.ts';

it('validateFaults accepts every kind, with and without every optional field', () => {
  const links = { from: [0, 15], to: { share: 0.5 }, atMs: 0, forMs: 600_000 };
  const plan: Fault[] = [
    { kind: 'crash', nodes: [3], atMs: 600_000 },
    { kind: 'restart', nodes: { share: 1 }, atMs: 0, forMs: 0.001, state: 'lost' },
    { kind: 'restart', nodes: [0], atMs: 0, forMs: 1, state: 'kept' },
    { kind: 'pause', nodes: [0], atMs: 0, forMs: 1 },
    { kind: 'partition', nodes: [0], atMs: 0, forMs: 1 },
    { kind: 'loss', share: 1 },
    { kind: 'loss', share: 0.1, ...links },
    { kind: 'duplication', share: 0.1, withinMs: 0, ...links },
    { kind: 'reordering', share: 0.1, byMs: 0.001, ...links },
    { kind: 'corruption', share: 0.1 },
    { kind: 'corruption', share: 0.1, of: 'signature', ...links },
    { kind: 'slow-links', byMs: 600_000, ...links },
    { kind: 'slow-nodes', nodes: [0], factor: 1000, atMs: 5, forMs: 5 },
    { kind: 'skew', nodes: [0], byMs: -60_000 },
    { kind: 'drift', nodes: [0], rate: 0.1 },
  ];
  expect(() => validateFaults(plan, 16)).not.toThrow();
  expect(() => validateFaults([], 1)).not.toThrow();
  expect(new Set(plan.map(({ kind }) => kind))).toEqual(new Set(faultKinds));
});

const pause = { kind: 'pause', nodes: [1], atMs: 5, forMs: 5 };
const ids = 'an id from 0 to 15';
it.each<[unknown, string]>([
  [undefined, 'faults: expected a list of faults, got nothing'],
  [{ faults: [] }, 'faults: expected a list of faults, got {"faults":[]}'],
  [Array(maxFaults + 1).fill(pause), 'faults: expected a list of at most 1000, got 1001'],
  [[pause, null], 'faults[1]: expected an object with a kind, got null'],
  [[pause, [pause]], 'faults[1]: expected an object with a kind, got [{"kind":"pause","nodes":[1],"atMs":5...'],
  [[{}], `faults[0].kind: expected ${faultKinds.join(' or ')}, got nothing`],
  [[{ kind: 'toString' }], `faults[0].kind: expected ${faultKinds.join(' or ')}, got "toString"`],
  [[{ ...pause, kind: ['pause'] }], `faults[0].kind: expected ${faultKinds.join(' or ')}, got ["pause"]`],
  [[{ ...pause, untilMs: 5 }], 'faults[0]: expected no fields but nodes, atMs, forMs, got "untilMs"'],
  [[{ ...pause, node: 5 }], 'faults[0]: expected no fields but nodes, atMs, forMs, got "node" (Did you mean nodes?)'],
  [[{ ...pause, atMs: undefined }], 'faults[0].atMs: expected a number from 0 to 600000, got nothing'],
  [[{ ...pause, atMs: '5' }], 'faults[0].atMs: expected a number from 0 to 600000, got "5"'],
  [[{ ...pause, atMs: -1 }], 'faults[0].atMs: expected a number from 0 to 600000, got -1'],
  [[{ ...pause, atMs: Number.NaN }], 'faults[0].atMs: expected a number from 0 to 600000, got null'],
  [[{ ...pause, forMs: 0 }], 'faults[0].forMs: expected a number from 0.001 to 600000, got 0'],
  [[{ ...pause, forMs: 600_001 }], 'faults[0].forMs: expected a number from 0.001 to 600000, got 600001'],
  [[{ ...pause, nodes: 1 }], 'faults[0].nodes: expected a list of ids or {"share": S}, got 1'],
  [[{ ...pause, nodes: [] }], 'faults[0].nodes: expected a list of ids or {"share": S}, got []'],
  [[{ ...pause, nodes: [16] }], `faults[0].nodes[0]: expected ${ids}, got 16`],
  [[{ ...pause, nodes: [0, 0.5] }], `faults[0].nodes[1]: expected ${ids}, got 0.5`],
  [[{ ...pause, nodes: ['1'] }], `faults[0].nodes[0]: expected ${ids}, got "1"`],
  [[{ ...pause, nodes: [1, 1] }], 'faults[0].nodes[1]: expected an id that is not in the list yet, got 1'],
  [[{ ...pause, nodes: {} }], 'faults[0].nodes.share: expected a number greater than 0 and at most 1, got nothing'],
  [[{ ...pause, nodes: { share: 0 } }], 'faults[0].nodes.share: expected a number greater than 0 and at most 1, got 0'],
  [[{ ...pause, nodes: { share: 1, of: 2 } }], 'faults[0].nodes: expected no fields but share, got "of"'],
  [[pause, { kind: 'loss', share: 1.5 }], 'faults[1].share: expected a number greater than 0 and at most 1, got 1.5'],
  [[{ kind: 'loss', share: 1, to: [] }], 'faults[0].to: expected a list of ids or {"share": S}, got []'],
  [[{ ...pause, kind: 'restart', state: 'gone' }], 'faults[0].state: expected lost or kept, got "gone"'],
  [[{ kind: 'slow-nodes', nodes: [1], factor: 0.5 }], 'faults[0].factor: expected a number from 1 to 1000, got 0.5'],
  [[{ kind: 'skew', nodes: [1], byMs: 60_001 }], 'faults[0].byMs: expected a number from -60000 to 60000, got 60001'],
  [[{ kind: 'drift', nodes: [1], rate: 0 }], 'faults[0].rate: expected a number from 0.1 to 10, got 0'],
])('validateFaults reports for %j the expected and the received value', (faults, message) => {
  expect(() => validateFaults(faults, 16)).toThrow(new RangeError(message));
});
