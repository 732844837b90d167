import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { until } from '../../test/compliance.ts';
import { peers } from '../../test/peers.ts';
import { openUdp } from '../sockets/udp.ts';

const nodes = 8;
const rounds = isWhole ? 30 : 8;
/** Number of contributions stored by a node that has all 8 signatures: its own, In_1 to In_3, and Out_2 to Out_4. */
const heldWhenComplete = 7;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns this thread's pending timers, which have neither expired nor been cleared. */
function watchTimers(): Set<unknown> {
  const pending = new Set<unknown>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('setTimeout', (task: () => void, delay?: number) => {
    const timer = set(() => {
      pending.delete(timer);
      task();
    }, delay);
    pending.add(timer);
    return timer;
  });
  vi.stubGlobal('clearTimeout', (timer: NodeJS.Timeout) => {
    pending.delete(timer);
    clear(timer);
  });
  return pending;
}

const sockets = () => process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length;

it(`${rounds} rounds of ${nodes} nodes on one set of sockets leave no state behind`, async () => {
  // Earlier test files of this process may still be closing sockets, so their number may decrease.
  const before = sockets();
  const timers = watchTimers();
  const transports = await Promise.all(Array.from({ length: nodes }, () => openUdp({ host: '127.0.0.1' })));
  const { peers: all, groups, verifiers, planOf, runRound, verifies } = peers(nodes, { transports, together: true });
  const places = transports.map(({ local }) => local.port);

  for (let round = 1; round <= rounds; round++) {
    const reports = await runRound(planOf(round));
    for (const report of reports) expect(report.output!.weight).toBe(nodes);
    expect(verifies(reports[0]!)).toBe(true);
    expect(verifiers).toMatchObject({ opened: round, closed: Math.max(0, round - 2) });
    expect(groups[0]!.openRounds).toBe(Math.min(round, 2));
    expect(sockets()).toBeLessThanOrEqual(before + nodes);
    const open = groups[0]!.enter(planOf(round));
    expect(open.scheme.held).toBe(nodes * heldWhenComplete);
    groups[0]!.leave(open);
  }
  expect(transports.map(({ local }) => local.port)).toEqual(places);
  // Among all rounds, only the running round and the previous one still have data.
  await until(() => {
    collectGarbage();
    return [...verifiers.held].filter((one) => one.deref() !== undefined).length === 2;
  });

  await Promise.all(all.map((peer) => peer.close()));
  expect(verifiers).toMatchObject({ opened: rounds, closed: rounds });
  expect(timers.size).toBe(0);
  await until(() => sockets() <= before);
  for (const peer of all)
    expect(peer.totals()).toMatchObject({ roundsStarted: rounds, roundsReached: rounds, roundsMissed: 0 });
});
