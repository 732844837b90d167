import { branchings, exhaustedRules, graphVerifications, mechanisms, treeForms } from '@tutti/core';
import * as fc from 'fast-check';
import { attacks } from '../src/attacks/attacks.ts';
import { hasMachines, loadNetwork } from '../src/engine/network/network.ts';
import type { Fault } from '../src/scenario/faultPlan.ts';
import { defaultScenario, protocolNames, type Scenario } from '../src/scenario/scenario.ts';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

const ms = (max: number) => fc.double({ min: 0, max, noNaN: true });
const positiveMs = (max: number) => fc.double({ min: 0.001, max, noNaN: true });

const network = fc.oneof(
  fc.constantFrom('aws', 'aws-blocks', 'aws-blocks:20', 'distance', 'mixed:20,200,0.25'),
  fc.constantFrom('cities', 'cities-by-distance'),
  fc.integer({ min: 0, max: 300 }).map((latency) => `constant:${latency}`),
);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    kind: fc.constant('crash' as const),
    nodes: fc.constant([0] as readonly number[]),
    atMs: fc.integer({ min: 0, max: 500 }),
  }),
  fc.record({
    kind: fc.constant('partition' as const),
    nodes: fc.record({ share: fc.double({ min: 0.1, max: 0.5, noNaN: true }) }),
    atMs: ms(300),
    forMs: positiveMs(200),
  }),
  fc.record({ kind: fc.constant('loss' as const), share: fc.double({ min: 0.01, max: 0.3, noNaN: true }) }),
);

/** Generates any runnable scenario. A field may differ from its default unless it belongs to another protocol. */
export function anyScenario(limits: { readonly nodes: number }): fc.Arbitrary<Scenario> {
  return fc
    .record({
      protocol: fc.constantFrom(...protocolNames),
      nodes: fc.integer({ min: 8, max: limits.nodes }),
      tree: fc.constantFrom(...treeForms),
      branching: fc.constantFrom(...branchings),
      threshold: fc.double({ min: 0.01, max: 1, noNaN: true }),
      network,
      tor: fc.constantFrom(0, 0, 0.3),
      dead: fc.constantFrom(0, 0, 0.07, 0.2),
      absent: fc.constantFrom(0, 0, 1, 0.1),
      absentMs: fc.constantFrom(10_000, 125.5),
      desyncMs: fc.constantFrom(0, 33.25),
      periodMs: fc.oneof(fc.constant(20), fc.double({ min: 5, max: 60, noNaN: true })),
      levelStartMs: fc.oneof(fc.constant(50), ms(100)),
      fastPath: fc.integer({ min: 0, max: 12 }),
      backOff: fc.boolean(),
      batch: fc.constantFrom(1, 1, 2, 32),
      verifyMs: fc.oneof(fc.constant(4), ms(8)),
      seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      priorities: fc.constantFrom('shifted' as const, 'independent' as const),
      window: fc.constantFrom('relative' as const, 'paper' as const),
      spread: fc.constantFrom(3, 1, 2.5),
      deadBy: fc.constantFrom('chance' as const, 'machine' as const),
      startsApartMs: fc.constantFrom(0, 12.5),
      completeGraph: fc.record({ verification: fc.constantFrom(...graphVerifications) }),
      attack: fc.option(
        fc.record({
          place: fc.nat(1000),
          share: fc.double({ min: 0.01, max: 0.4, noNaN: true }),
          plan: fc.constantFrom(undefined, 'light@0/1invalid@front+2mixed@100~2.5/-'),
        }),
      ),
      faults: fc.array(fault, { maxLength: 2 }),
      without: fc.subarray([...mechanisms], { maxLength: 2 }),
      authenticated: fc.boolean(),
      sanFermin: fc.record({
        candidates: fc.integer({ min: 1, max: 4 }),
        replyTimeoutMs: positiveMs(400),
        exhausted: fc.constantFrom(...exhaustedRules),
      }),
      gossip: fc.record({
        of: fc.constantFrom('individuals' as const, 'aggregates' as const),
        degree: fc.integer({ min: 4, max: 9 }),
      }),
    })
    .map(({ spread, startsApartMs, attack, ...drawn }) => {
      const { protocol } = drawn;
      const { completeGraph, sanFermin, gossip, backOff, branching, batch, window, without } = defaultScenario;
      const isOnMachines = hasMachines(drawn.network);
      const possible = attacks.filter(({ against }) => against.includes(protocol));
      const attacker = attack === null ? undefined : possible[attack.place % possible.length];
      const plan = attacker?.name === 'across-levels' && attack?.plan !== undefined ? { plan: attack.plan } : {};
      return {
        ...defaultScenario,
        ...drawn,
        deadBy: isOnMachines ? drawn.deadBy : 'chance',
        cpu: { ...defaultScenario.cpu, spread, startsApartMs: isOnMachines ? startsApartMs : 0 },
        attacks: attacker === undefined ? [] : [{ name: attacker.name, share: attack!.share, ...plan }],
        ...(protocol !== 'handel' && { backOff, branching, batch, window, without }),
        ...(protocol !== 'complete-graph' && { completeGraph }),
        ...(protocol !== 'san-fermin' && { sanFermin }),
        ...(protocol !== 'gossip' && { gossip }),
      };
    });
}
