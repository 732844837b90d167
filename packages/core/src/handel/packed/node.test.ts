import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeBench } from '../../../test/nodeBench.ts';
import { contributionOf, signersOf } from '../../../test/sets.ts';
import { upTo } from '../../../test/sizes.ts';
import { MessageFlag, noContribution, TraceKind } from '../../protocol.ts';
import { paperWindow } from '../config.ts';
import { HandelTimer } from '../options.ts';

/** Starts node 0 of 16, whose peers on levels 1 to 4 are 1 | 2, 3 | 4 to 7 | 8 to 15, and takes its first messages. */
function started(options: ConstructorParameters<typeof NodeBench>[0] = {}): NodeBench {
  const bench = new NodeBench(options);
  bench.node.start();
  bench.port.takeSent();
  return bench;
}

const ids = (from: number, to: number): number[] => upTo(to - from + 1).map((index) => from + index);
const to = (sent: readonly { to: number }[]): number[] => sent.map(({ to }) => to);
const peersOf = (level: number): number[] => ids(2 ** (level - 1), 2 ** level - 1);

/** Completes In_l of node 0 on the given levels, with one aggregate per level. */
function complete(bench: NodeBench, ...levels: readonly number[]): void {
  for (const level of levels) bench.receiveAndVerify(2 ** (level - 1), level, peersOf(level));
}

describe('a node that starts', () => {
  it('v1.03 3.5.1: sends In_0 to its level 1 peer at once, because Out_1 is complete', () => {
    const bench = new NodeBench();
    expect(bench.port.sent).toEqual([]);
    bench.node.start();
    expect(bench.port.sent).toMatchObject([{ to: 1, level: 1, signers: [0], individual: noContribution, flags: 0 }]);
  });

  it('v1.03 3.6: sets timers for its dissemination period, 20 ms, and for the start of level 2, 50 ms', () => {
    const bench = new NodeBench();
    bench.node.start();
    const timers = bench.port.timers.toSorted((one, other) => one.timer - other.timer);
    expect(timers).toMatchObject([
      { timer: HandelTimer.period, delayUs: 20_000 },
      { timer: HandelTimer.levelStart, delayUs: 50_000 },
    ]);
  });
});

describe('a node that receives', () => {
  it('v1.03 3.3: selects the next contribution when it is idle, from those received by then', () => {
    const bench = started();
    bench.receive(9, 4, [9]);
    expect(bench.checking!.signers).toEqual([9]);
    bench.receive(10, 4, [9, 10]);
    bench.receive(11, 4, [10, 11, 12]);
    bench.receive(11, 4, [10, 11, 12, 13]);
    bench.verifyOne();
    expect(bench.checking!.signers).toEqual([10, 11, 12, 13]);
  });

  it('v1.03 3.3: updates the scores of queued contributions when In_l has grown', () => {
    const bench = started();
    bench.receive(15, 4, [15]);
    bench.receive(10, 4, [9, 10], { individual: false });
    bench.receive(11, 4, [11, 12, 13], { individual: false });
    expect(bench.verifyAll()).toEqual([[15], [11, 12, 13], [9, 10]]);
    expect(bench.in(4)).toEqual([9, 10, 11, 12, 13, 15]);
  });

  it('v1.0 3.6: lowers the rank of a sender by N for each of its verified contributions, so that each sender gets a turn', () => {
    const bench = started({ config: { window: { ...paperWindow, initial: 1, max: 1 } } });
    bench.receive(8, 4, [8, 9], { individual: false });
    bench.receive(8, 4, [8, 9, 10, 11], { individual: false });
    bench.receive(12, 4, [12]);
    expect(bench.verifyOne()).toEqual([8, 9]);
    expect(bench.verifyOne(), 'what 8 had queued by then waits').toEqual([12]);
    bench.receive(14, 4, [14]);
    expect(bench.verifyOne()).toEqual([8, 9, 10, 11]);
    bench.receive(8, 4, [8, 9, 10, 11, 13], { individual: false });
    bench.receive(15, 4, [15]);
    expect(bench.verifyOne()).toEqual([14]);
    expect(bench.verifyOne(), 'what 8 sends later, too').toEqual([15]);
  });

  it('v1.03 3.1: aggregates individual contributions if the aggregates overlap', () => {
    const bench = started();
    bench.receiveAndVerify(9, 4, [9, 10, 11]);
    bench.receive(12, 4, [11, 12]);
    bench.receiveAndVerify(13, 4, [10, 13]);
    expect(bench.in(4)).toEqual([9, 10, 11, 12, 13]);
  });

  it('v1.03 2.4: queues an individual contribution of a replaced In_l again', () => {
    const bench = started();
    // In_4 = {8, 9, 10}, so node 0 does not verify the individual contribution of 10 that it received.
    bench.receiveAndVerify(9, 4, [8, 9, 10], { individual: false });
    bench.receive(10, 4, [8, 10]);
    expect(bench.checking).toBeUndefined();
    // A heavier aggregate without 10 replaces In_4. The node then verifies the contribution of 10.
    bench.receiveAndVerify(11, 4, [8, 9, 11, 12], { individual: false });
    expect(bench.in(4)).toEqual([8, 9, 10, 11, 12]);
  });

  it('v1.03 3.5.3 (2): ignores contributions of a complete level', () => {
    const bench = started();
    complete(bench, 1, 4);
    bench.receive(1, 1, [1]);
    for (const from of peersOf(4)) for (const other of [from, 8, 12]) bench.receive(from, 4, [from, other]);
    expect(bench.checking).toBeUndefined();
    expect([bench.pendingOn(1), bench.pendingOn(4)]).toEqual([0, 0]);
  });
});

describe('a node that verifies batches', () => {
  /** Creates a bench that is verifying a contribution on level 1 and has contributions queued on levels 2, 3 and 4. */
  function behind(): NodeBench {
    const bench = started({ config: { batch: 32 } });
    bench.receive(1, 1, [1]);
    bench.receive(2, 2, [2, 3]);
    bench.receive(4, 3, [4, 5], { forged: true, individual: false });
    bench.receive(9, 4, [8, 9]);
    return bench;
  }

  it('requests all selected contributions of its levels in one batch when idle, and a single one without a batch', () => {
    const bench = behind();
    expect([bench.port.checks.length, bench.port.batches.length]).toEqual([1, 0]);
    bench.verifyOne();
    expect([bench.port.checks.length, bench.port.batches.length]).toEqual([0, 1]);
    const [batch] = bench.port.batches;
    expect(batch!.contributions.map((one) => signersOf(bench.scheme, one))).toEqual([
      [2, 3],
      [4, 5],
      [8, 9],
    ]);
    expect(batch).toMatchObject({ levels: [2, 3, 4], peers: [2, 4, 9] });
    bench.receive(10, 4, [10, 11]);
    expect(bench.port.batches.length).toBe(1);
  });

  it('receives a verdict for each: valid ones are aggregated, and windows and blacklist are updated', () => {
    const bench = behind();
    bench.verifyOne();
    const { levels, window } = bench.node.inspector.state;
    const before = levels.window(3);
    bench.node.onBatchVerified(bench.port.batches[0]!.ticket, [true, false, true]);
    expect([bench.in(1), bench.in(2), bench.in(3), bench.in(4)]).toEqual([[1], [2, 3], [], [8, 9]]);
    expect(bench.node.inspector.checking).toEqual([]);
    const after = [2, 3, 4].map((level) => bench.node.inspector.state.levels.window(level));
    expect(after).toEqual([window.max, before / 4, window.max]);
    const blacklisted = bench.port.traces.filter(({ kind }) => kind === TraceKind.blacklisted);
    expect(blacklisted.map(({ peer }) => peer)).toEqual([4]);
  });

  it('refuses verdicts under another ticket, or of another number than its contributions', () => {
    const bench = behind();
    const { ticket } = bench.checking!;
    for (const wrong of [ticket + 1, 2000])
      expect(() => bench.node.onVerified(wrong, true)).toThrow(
        `ticket: expected the ticket of the verification in progress (${ticket}), got ${wrong}`,
      );
    bench.verifyOne();
    expect(() => bench.node.onVerified(ticket, true)).toThrow(RangeError);
    expect(() => bench.node.onVerified(2000, true)).toThrow(
      'verdicts: expected one for each of 3 contributions, got 1',
    );
    expect(() => bench.node.onBatchVerified(2000, [true, false])).toThrow(/^verdicts: expected .*, got 2$/);
    bench.node.onBatchVerified(2000, [true, false, true]);
    expect(() => bench.node.onBatchVerified(2000, [true, false, true])).toThrow(/^ticket: expected/);
    expect([bench.in(3), bench.in(4)]).toEqual([[], [8, 9]]);
  });
});

describe('a node that completes', () => {
  it('v1.03 3.5.1: a level, sends Out of the next level at once to its peers', () => {
    const bench = started();
    complete(bench, 1);
    expect(bench.port.takeSent()).toMatchObject([
      { to: 2, level: 2, signers: [0, 1], individual: bench.scheme.individual(0) },
      { to: 3, level: 2, signers: [0, 1] },
    ]);
    complete(bench, 2);
    expect(bench.port.takeSent()).toMatchObject(
      ids(4, 7).map((peer) => ({ to: peer, level: 3, signers: [0, 1, 2, 3] })),
    );
  });

  it('v1.03 3.6: sends on the fast path to 10 different peers', () => {
    const bench = started({ nodes: 64 });
    for (const level of [1, 2, 3, 4]) complete(bench, level);
    const level5 = bench.port.takeSent().filter(({ level }) => level === 5);
    expect(to(level5)).toEqual(ids(16, 25));
  });

  it('v1.03 3.4: takes the fast path if Out is complete, not if only In is complete', () => {
    const bench = started();
    for (const level of [3, 2]) {
      complete(bench, level);
      expect(bench.port.takeSent()).toEqual([]);
    }
    complete(bench, 1);
    const sent = bench.port.takeSent();
    expect(sent.map(({ level }) => level)).toEqual([2, 2, 3, 3, 3, 3, ...upTo(8).map(() => 4)]);
    expect(sent.filter(({ level }) => level === 4)).toMatchObject(
      ids(8, 15).map((peer) => ({ to: peer, signers: ids(0, 7) })),
    );
  });

  it('v1.03 2.4: gives an output for every heavier aggregate from the threshold on', () => {
    const bench = started({ config: { threshold: 5 } });
    bench.receive(1, 1, [1]);
    bench.receiveAndVerify(2, 2, [2]);
    expect(bench.port.outputs).toEqual([]);
    bench.receiveAndVerify(9, 4, [9, 10]);
    expect(bench.port.outputs).toEqual([[0, 1, 2, 9, 10]]);
    complete(bench, 3);
    expect(bench.port.outputs.slice(1)).toEqual([[0, 1, 2, 4, 5, 6, 7, 9, 10]]);
  });

  it('everything, retains only full contributions', () => {
    const bench = started({ config: { threshold: 2 } });
    for (const from of ids(8, 14)) bench.receive(from, 4, [from, from + 1]);
    for (const from of ids(8, 14)) bench.receive(from, 4, ids(8, from));
    bench.receive(1, 1, [1]);
    bench.receiveAndVerify(2, 2, [2]);
    bench.receive(3, 2, [2, 3]);
    bench.receive(5, 3, [4, 5, 6, 7]);
    bench.receiveAndVerify(15, 4, ids(8, 15));
    expect(bench.port.outputs.at(-1)).toEqual(ids(0, 15));
    bench.takeReceivers();
    expect(bench.scheme.held).toBe(0);
  });
});

it.each([7, 20, 100])('v1.03 3.6: a level is contacted from (l-1) x 50 ms, period %i ms', (disseminationPeriodMs) => {
  const bench = new NodeBench({ config: { disseminationPeriodMs } });
  const firstMs = new Map<number, number>();
  bench.node.start();
  while (bench.port.timeUs < 200_000) {
    for (const { level } of bench.port.takeSent())
      if (!firstMs.has(level)) firstMs.set(level, bench.port.timeUs / 1000);
    bench.timeout();
  }
  expect(Object.fromEntries(firstMs)).toEqual({ 1: 0, 2: 50, 3: 100, 4: 150 });
});

it('the timer of a level is set again if it expires early, as with a slow clock', () => {
  const bench = started();
  bench.port.timeUs = 49_999;
  bench.node.onTimer(HandelTimer.levelStart);
  expect(bench.port.takeSent()).toEqual([]);
  expect(bench.port.timers.at(-1)).toMatchObject({ timer: HandelTimer.levelStart, delayUs: 1 });
});

describe('periodic dissemination', () => {
  it('v1.03 3.5.1: contacts one peer of each active level per period', () => {
    const bench = started({ config: { without: ['start-timers'] } });
    const levels = upTo(8).map(() => {
      bench.tick();
      return bench.port.takeSent().map(({ level }) => level);
    });
    // Periods end at 20, 40 | 60, 80 | 100, 120, 140 | 160 ms: level l starts at (l-1) x 50 ms.
    expect(levels).toEqual([[1], [1], [1, 2], [1, 2], [1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 2, 3, 4]]);
    expect(bench.port.timers.length).toBe(1);
  });

  it('v1.03 3.1: sends the best contribution, even if the levels below are not complete', () => {
    const bench = started();
    bench.receiveAndVerify(2, 2, [2]);
    while (bench.port.timeUs < 100_000) bench.tick();
    expect(bench.port.takeSent().filter(({ level }) => level === 3)).toMatchObject([{ to: 4, signers: [0, 2] }]);
  });

  it('v1.03 3.5.1: continues cyclically forever: a peer that misses a message receives it again', () => {
    const bench = started({ config: { backOff: false } });
    for (const _ of upTo(400)) bench.tick();
    const contacted = bench.port.takeSent();
    expect(contacted.filter(({ level }) => level === 1).length).toBe(400);
    for (let peer = 8; peer < 16; peer++) expect(to(contacted).filter((to) => to === peer).length).toBeGreaterThan(45);
    expect(bench.port.timers.length).toBe(1);
  });

  it('with answers switched off, answers neither peers that lack something nor peers that do not know the level complete', () => {
    const bench = started({ config: { without: ['answers'] } });
    for (const _ of upTo(400)) bench.tick();
    bench.port.takeSent();
    bench.receive(9, 4, [9]);
    expect(bench.port.takeSent()).toEqual([]);
    bench.receiveAndVerify(10, 4, ids(8, 15), { flags: MessageFlag.levelReceived });
    bench.port.takeSent();
    bench.receive(10, 4, ids(8, 15), { flags: MessageFlag.levelReceived });
    expect(bench.port.takeSent()).toEqual([]);
  });

  it('v1.03 3.5.1: continues after the threshold and after all contributions arrived', () => {
    const bench = started({ config: { threshold: 3, backOff: false } });
    complete(bench, 1, 2, 3, 4);
    expect(bench.port.outputs.at(-1)!.length).toBe(16);
    bench.port.takeSent();
    for (const _ of upTo(50)) bench.tick();
    const sent = bench.port.takeSent();
    expect(sent.length).toBe(200);
    expect(sent.every(({ flags }) => flags === MessageFlag.levelReceived)).toBe(true);
  });

  it('v1.03 6: stops for a peer that reports the level complete, and entirely when all have', () => {
    const bench = started();
    bench.receiveAndVerify(1, 1, [1], { flags: MessageFlag.levelReceived });
    bench.port.takeSent();
    bench.tick();
    expect(bench.port.takeSent().map(({ level }) => level)).toEqual([2]);
    for (const level of [2, 3, 4])
      for (const peer of peersOf(level))
        bench.receiveAndVerify(peer, level, [peer], { flags: MessageFlag.levelReceived });
    bench.port.takeSent();
    bench.tick();
    while (bench.port.timers.length > 0) expect(bench.timeout()).toBe(HandelTimer.levelStart);
    expect(bench.port.takeSent()).toEqual([]);
  });

  it('v1.03 6: answers a peer that it has stopped sending to and that does not know the level complete', () => {
    const bench = started();
    complete(bench, 4);
    bench.receive(10, 4, ids(8, 15), { flags: MessageFlag.levelReceived });
    bench.port.takeSent();
    bench.receive(10, 4, ids(8, 15), { flags: MessageFlag.levelReceived });
    const flags = MessageFlag.levelReceived | MessageFlag.answer;
    expect(bench.port.takeSent()).toMatchObject([{ to: 10, level: 4, flags }]);
    // A node does not answer an answer. Otherwise two finished nodes would never stop sending.
    bench.receive(10, 4, ids(8, 15), { flags });
    expect(bench.port.takeSent()).toEqual([]);
  });
});

describe('a node under attack', () => {
  it('v1.03 3.5.3: blacklists the sender of an invalid contribution, prunes its contributions, refuses more, and does not contact it again', () => {
    const bench = started();
    bench.receive(1, 1, [1]);
    bench.receive(9, 4, [8, 9, 10], { forged: true });
    expect(bench.verifyOne()).toEqual([1]);
    expect(bench.verifyOne()).toEqual([8, 9, 10]);
    expect(bench.port.traces).toContainEqual({ kind: TraceKind.blacklisted, level: 4, peer: 9, what: noContribution });
    expect(bench.in(4)).toEqual([]);
    expect(bench.checking, 'its individual contribution is pruned').toBeUndefined();
    bench.receive(9, 4, [9]);
    expect(bench.checking).toBeUndefined();
    expect(bench.port.refusals.at(-1)).toEqual({ level: 4, peer: 9, code: 'blacklisted' });
    for (const _ of upTo(40)) bench.tick();
    expect(to(bench.port.takeSent())).not.toContain(9);
  });

  it('without the blacklist, continues to verify contributions of the sender of an invalid contribution', () => {
    const bench = started({ nodes: 16, config: { without: ['blacklist'] } });
    bench.receive(9, 4, [8, 9, 10], { forged: true, individual: false });
    bench.verifyOne();
    bench.receive(9, 4, [9]);
    expect(bench.checking).toMatchObject({ peer: 9 });
  });

  it('v1.03 3.5.3: accepts the contribution of a blacklisted node in aggregates of others', () => {
    const bench = started();
    bench.receiveAndVerify(9, 4, [9], { forged: true });
    bench.receiveAndVerify(10, 4, [9, 10]);
    expect(bench.in(4)).toEqual([9, 10]);
  });

  it('v1.03 3.6: after failures selects by rank only, and so reaches the honest peers', () => {
    const bench = started({ nodes: 64 });
    // Attackers 40 to 47 offer the heaviest contributions. The honest node 33 ranks better but offers little weight.
    for (let from = 40; from < 48; from++) bench.receive(from, 6, ids(32, from), { forged: true });
    bench.receive(33, 6, [33]);
    const verified = bench.verifyAll();
    // After one failure, the window of 16 ranks shrinks to 4 ranks and contains only node 33.
    expect(verified[0]!.length).toBeGreaterThan(1);
    expect(verified[1]).toEqual([33]);
    expect(bench.in(6)).toEqual([33]);
  });

  it('v1.03 3.6: every attacker costs one verification', () => {
    const bench = started({ nodes: 64 });
    for (const _ of upTo(20)) {
      for (let from = 40; from < 60; from++) {
        bench.receive(from, 6, ids(32, from), { forged: true });
        bench.receive(from, 6, ids(33, from), { forged: true });
      }
    }
    expect(bench.verifyAll().length).toBe(20);
  });

  it("attack on the Go reference: an invalid signature that another peer sends for a victim does not block the victim's own", () => {
    const bench = started();
    const { scheme } = bench;
    // Node 10 claims to send 9's contribution, both as an aggregate and as an individual contribution.
    const bad = scheme.forge(scheme.tree.leaf(9), undefined);
    bench.node.onMessage(10, 4, contributionOf(scheme, scheme.tree.peerBlock(0, 4), [9]), bad, 0);
    expect(bench.port.refusals.at(-1)).toMatchObject({ peer: 10, code: 'not-individual' });
    bench.receiveAndVerify(10, 4, [9], { forged: true, individual: false });
    expect(bench.port.traces.at(-1)).toMatchObject({ kind: TraceKind.blacklisted, peer: 10 });
    bench.receive(9, 4, [9]);
    expect(bench.verifyAll()).toEqual([[9]]);
    expect(bench.in(4)).toEqual([9]);
  });

  it('attack on the Go reference: a contribution over the wrong span counts no signer more than once', () => {
    const bench = started();
    const { scheme } = bench;
    const { tree } = scheme;
    for (const block of [1, tree.peerBlock(0, 3), tree.peerBlock(0, 4) >>> 1]) {
      const wide = contributionOf(scheme, block, ids(tree.start(block), tree.start(block) + 1));
      bench.node.onMessage(9, 4, wide, noContribution, 0);
      expect(bench.port.refusals.at(-1)).toMatchObject({ code: 'wrong-span' });
    }
    expect(bench.checking).toBeUndefined();
    expect(bench.in(4)).toEqual([]);
  });

  it('v1.03 2.4, 3.5.2, 6: satisfies the claims for any messages in any order', () => {
    const message = fc.record({
      what: fc.constant('message' as const),
      from: fc.nat(12),
      signers: fc.uniqueArray(fc.nat(12), { minLength: 1, maxLength: 8 }),
      flags: fc.constantFrom(0, 0, 0, MessageFlag.levelReceived),
      forged: fc.constantFrom(false, false, false, true),
      individual: fc.boolean(),
    });
    const action = fc.oneof(
      { arbitrary: message, weight: 6 },
      { arbitrary: fc.record({ what: fc.constant('verify' as const) }), weight: 4 },
      { arbitrary: fc.record({ what: fc.constant('tick' as const) }), weight: 1 },
    );
    fc.assert(
      fc.property(fc.nat(12), fc.nat(60), fc.array(action, { maxLength: 120 }), (id, startAt, actions) => {
        const nodes = 13;
        const bench = new NodeBench({ nodes, id, config: { threshold: 4 } });
        const { tree } = bench.scheme;
        const weights = new Array<number>(tree.levels + 1).fill(0);
        const heldBefore = bench.scheme.held;
        // The test makes one expectation per run, because an expectation at each step takes longer than the step.
        const broken: string[] = [];
        actions.forEach((step, index) => {
          if (index === startAt) bench.node.start();
          if (step.what === 'message') {
            const level = 32 - Math.clz32(step.from ^ id);
            if (level === 0) return;
            const block = tree.peerBlock(id, level);
            const signers = step.signers.filter((signer) => tree.contains(block, signer));
            if (signers.length > 0) bench.receive(step.from, level, signers, step);
          } else if (step.what === 'verify') {
            if (bench.checking !== undefined) bench.verifyOne();
          } else if (bench.port.timers.length > 0) {
            bench.timeout();
          }
          if (bench.port.checks.length > 1) broken.push(`step ${index}: several verifications at a time`);
          for (let level = 1; level <= tree.levels; level++) {
            const at = `step ${index}, level ${level}`;
            const weight = bench.node.inspector.inWeight(level);
            if (!(weight >= weights[level]!)) broken.push(`${at}: a weight of ${weight} after ${weights[level]}`);
            weights[level] = weight;
            const { length } = bench.in(level);
            if (length !== weight) broken.push(`${at}: a weight of ${weight}, ${length} signers`);
            if (bench.scheme.verify(bench.node.inspector.in(level)) !== true)
              broken.push(`${at}: what is held does not verify`);
            const pending = bench.pendingOn(level);
            if (!(pending <= 2 * tree.size(tree.peerBlock(id, level)))) broken.push(`${at}: ${pending} pending`);
          }
        });
        expect(broken).toEqual([]);
        const outputs = bench.port.outputs.map((signers) => signers.length);
        expect(outputs.every((weight, at) => weight >= 4 && (at === 0 || weight > outputs[at - 1]!))).toBe(true);
        for (const signers of bench.port.outputs) expect(new Set(signers).size).toBe(signers.length);
        for (const { to, level, signers } of bench.port.sent) {
          expect(tree.contains(tree.peerBlock(id, level), to)).toBe(true);
          expect(signers).toContain(id);
        }
        // The node's storage bounds the number of held contributions: a few contributions per peer.
        bench.takeReceivers();
        expect(bench.scheme.held - heldBefore).toBeLessThanOrEqual(2 * nodes + 2 * (tree.levels + 1));
      }),
      { numRuns: 300 },
    );
  });
});
