import { describe, expect, it } from 'vitest';
import { runNetworkSlot } from '../../slots/network/networkSlot.ts';
import { arrivalQuantiles } from '../../slots/network/slotRun.ts';
import { linkPresets } from './linkClasses.ts';
import { proposalNames, withProposals } from './proposals.ts';
import { defaultNetworkScenario, type NetworkScenario, systemOf, validateNetworkScenario } from './scenario.ts';

const today: NetworkScenario = { ...defaultNetworkScenario, system: 'electra' };
/** Scenario with two subnets of 64 votes each on 64 nodes. */
const small: NetworkScenario = { ...today, validators: 4096, nodes: 64, changes: { subcommittees: 2 } };

/** Returns the bytes that a node receives for votes, and the times at which 50 % and 99 % of the nodes have a vote. */
function slotOf(scenario: NetworkScenario) {
  const { run, result } = runNetworkSlot(scenario);
  const [p50, p99] = arrivalQuantiles(run, [0.5, 0.99]);
  const bytes = result.layerLoads.subnets!.reduce((sum, one) => sum + one.receivedBytes, 0);
  return { p50: p50!, p99: p99!, bytes, inReach: result.inReach.mean };
}

describe('withProposals(scenario, names)', () => {
  it.each(proposalNames)('%s: returns a valid scenario, in which all votes arrive', (name) => {
    const scenario = withProposals(today, [name]);
    validateNetworkScenario(scenario);
    const { changes, ...rest } = withProposals(small, [name]);
    expect(slotOf({ ...rest, changes: { ...changes, subcommittees: 2 } }).inReach).toBeCloseTo(1, 2);
  });

  it('combines several proposals, and a cap never adds validators', () => {
    const scenario = withProposals(today, ['gloas', 'cap', 'bundles']);
    expect(scenario.validators).toBe(131_072);
    expect(systemOf(scenario)).toMatchObject({ attestMs: 3000, aggregateMs: 6000, subcommittees: 32, subnets: 64 });
    expect(scenario.gossip.bundles?.tickMs).toBe(20);
    expect(withProposals(small, ['cap']).validators).toBe(4096);
    expect(() => withProposals(today, ['nothing' as 'cap'])).toThrow(/^proposal: expected gloas or cap/);
  });
});

describe('bundles', () => {
  it('deliver every vote to all nodes with fewer bytes, and later by one tick per hop on free links', () => {
    const free = { ...small, links: linkPresets.unlimited };
    const [singly, bundled] = [slotOf(free), slotOf(withProposals(free, ['bundles']))];
    expect(bundled.inReach).toBeCloseTo(1, 2);
    expect(bundled.bytes).toBeLessThan(0.5 * singly.bytes);
    expect(bundled.p50 - singly.p50).toBeGreaterThan(5);
    expect(bundled.p50 - singly.p50).toBeLessThan(80);
  });

  it('of one vote have the bytes of the vote plus three per cent', () => {
    const alone = withProposals(small, ['bundles']);
    const one = {
      ...alone,
      gossip: { ...alone.gossip, overheadBytes: 0, bundles: { ...alone.gossip.bundles!, most: 1 } },
    };
    const singly = { ...small, gossip: { ...small.gossip, overheadBytes: 0 } };
    const ratio = slotOf(one).bytes / slotOf(singly).bytes;
    expect(ratio).toBeGreaterThan(0.9);
    expect(ratio).toBeLessThan(1.25);
  });
});

describe('batches at the source', () => {
  it('change nothing if no node has three votes in a committee, and save bytes if one node has all', () => {
    const none = { ...small, validators: 64 * 32 * 2, nodes: 2000 };
    expect(slotOf(withProposals(none, ['batches']))).toEqual(slotOf(none));
    const few = { ...small, nodes: 16 };
    expect(slotOf(withProposals(few, ['batches'])).bytes).toBeLessThan(0.6 * slotOf(few).bytes);
  });

  it('have the same results message by message', () => {
    const few = withProposals({ ...small, nodes: 16 }, ['batches']);
    const { run, result } = runNetworkSlot(few, { mode: 'singly' });
    expect(result.inReach.mean).toBeCloseTo(1, 2);
    const votes = run.arrivals.flatMap((subnet) => subnet.votes.flatMap(({ places }) => places));
    expect(new Set(votes).size).toBe(128);
    expect(votes).toHaveLength(128);
  });
});
