import { expect, it } from 'vitest';
import { runNetworkSlot } from '../../slots/network/networkSlot.ts';
import { arrivalQuantiles } from '../../slots/network/slotRun.ts';
import { linkPresets } from './nodes.ts';
import {
  defaultNetworkScenario,
  type NetworkScenario,
  proposalNames,
  systemOf,
  validateNetworkScenario,
  withProposals,
} from './scenario.ts';

const check = (change: Partial<NetworkScenario>) => () =>
  validateNetworkScenario({ ...defaultNetworkScenario, ...change });

it.each([
  ['validators', 64, 2 ** 20, 1],
  ['nodes', 16, 20_000, 1],
  ['reserved', 0, 0.99, 0.01],
  ['subnetsPerNode', 0, 64, 1],
  ['committeeTopicsPerNode', 0, 64, 1],
  ['participation', 0.01, 1, 0.01],
  ['seed', 0, 2 ** 32 - 1, 1],
] satisfies readonly (readonly [keyof NetworkScenario, number, number, number])[])(
  '%s ranges from %d to %d',
  (name, min, max, step) => {
    const few = { nodes: 16, changes: { committees: 1, subcommittees: 1 } };
    const of = (value: number) => check({ ...(name === 'validators' && few), [name]: value });
    for (const value of [min, max]) expect(of(value)).not.toThrow();
    for (const value of [min - step, max + step]) expect(of(value)).toThrow(new RegExp(`${name}: expected`));
  },
);

it.each([
  [{ links: [undefined] as never }, /^links: expected an object/],
  [{ changes: { slotMs: 0 } }, /^slotMs: expected a number from 100 to 600000, got 0/],
  [{ changes: { subnets: 0 } }, /^subnets: expected an integer from 1/],
  [{ changes: { epochSlots: 0 } }, /^epochSlots: expected an integer from 1/],
  [{ changes: { justifiedInRow: Number.NaN } }, /^justifiedInRow: expected an integer from 1/],
])('refuses %j', (change, message) => expect(check(change)).toThrow(message));

it('orders the times of a slot, up to its end', () => {
  const order = 'times of the slot: expected in order, up to 22000 ms';
  expect(check({ changes: { blockMs: 22_000 } })).not.toThrow();
  expect(check({ changes: { blockMs: 22_001 } })).toThrow(order);
  expect(check({ changes: { attestMs: 5000, aggregateMs: 4000 } })).toThrow(order);
});

const today: NetworkScenario = { ...defaultNetworkScenario, system: 'electra' };
/** Scenario with two subnets of 64 votes each on 64 nodes. */
const small: NetworkScenario = { ...today, validators: 4096, nodes: 64, changes: { subcommittees: 2 } };

/** Returns the bytes received for votes, and the time at which half of the nodes have a vote. */
function slotOf(scenario: NetworkScenario) {
  const { run, result } = runNetworkSlot(scenario);
  const [p50] = arrivalQuantiles(run, [0.5]);
  const bytes = result.layerLoads.subnets!.reduce((sum, one) => sum + one.receivedBytes, 0);
  return { p50: p50!, bytes, inReach: result.inReach.mean };
}

it.each(proposalNames)('withProposals(scenario, names): %s: a valid scenario, in which all votes arrive', (name) => {
  validateNetworkScenario(withProposals(today, [name]));
  const { changes, ...rest } = withProposals(small, [name]);
  expect(slotOf({ ...rest, changes: { ...changes, subcommittees: 2 } }).inReach).toBeCloseTo(1, 2);
});

it('withProposals(scenario, names) combines several proposals, and a cap never adds validators', () => {
  const scenario = withProposals(today, ['gloas', 'cap', 'bundles']);
  expect(scenario.validators).toBe(131_072);
  expect(systemOf(scenario)).toMatchObject({ attestMs: 3000, aggregateMs: 6000, subcommittees: 32, subnets: 64 });
  expect(scenario.gossip.bundles?.tickMs).toBe(20);
  expect(withProposals(small, ['cap']).validators).toBe(4096);
  expect(() => withProposals(today, ['nothing' as 'cap'])).toThrow(/^proposal: expected gloas or cap/);
});

it('bundles deliver every vote to all nodes with fewer bytes, and later by one tick per hop on free links', () => {
  const free = { ...small, links: linkPresets.unlimited };
  const [singly, bundled] = [slotOf(free), slotOf(withProposals(free, ['bundles']))];
  expect(bundled.inReach).toBeCloseTo(1, 2);
  expect(bundled.bytes).toBeLessThan(0.5 * singly.bytes);
  expect(bundled.p50 - singly.p50).toBeGreaterThan(5);
  expect(bundled.p50 - singly.p50).toBeLessThan(80);
});

it('batches change nothing if no node has three votes in a committee, and save bytes if one node has all', () => {
  const none = { ...small, nodes: 2000 };
  expect(slotOf(withProposals(none, ['batches']))).toEqual(slotOf(none));
  const few = { ...small, nodes: 16 };
  expect(slotOf(withProposals(few, ['batches'])).bytes).toBeLessThan(0.6 * slotOf(few).bytes);
});
