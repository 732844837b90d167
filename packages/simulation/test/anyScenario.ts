import { branchings, exhaustedRules, graphVerifications, mechanisms, treeForms } from '@tutti/core';
import * as fc from 'fast-check';
import { attacks } from '../src/attacks/attacks.ts';
import { hasMachines, loadNetwork } from '../src/engine/network/network.ts';
import type { Fault } from '../src/scenario/faultPlan.ts';
import {
  type AttackShare,
  defaultScenario,
  type ProtocolName,
  protocolNames,
  type Scenario,
} from '../src/scenario/scenario.ts';

await Promise.all([loadNetwork('cities'), loadNetwork('cities-by-distance')]);

const ms = (max: number) => fc.double({ min: 0, max, noNaN: true });
const positiveMs = (max: number) => fc.double({ min: 0.001, max, noNaN: true });

const network = fc.oneof(
  fc.constantFrom(
    'aws',
    'aws-blocks',
    'aws-blocks:20',
    'cities',
    'cities-by-distance',
    'distance',
    'mixed:20,200,0.25',
  ),
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

/** Returns an attack's share, including the plan only if the attack supports plans. */
function attackShare(name: string, share: number, plan: string | undefined): AttackShare {
  return name === 'across-levels' && plan !== undefined ? { name, share, plan } : { name, share };
}

/** Settings that belong to one protocol. */
interface OwnSettings {
  readonly verification: Scenario['completeGraph']['verification'];
  readonly sanFermin: Scenario['sanFermin'];
  readonly gossip: Scenario['gossip'];
}

/** Fields of each protocol. A missing row causes a compile-time error. */
const ownFields: { readonly [K in ProtocolName]: (drawn: OwnSettings) => Partial<Scenario> } = {
  handel: () => ({}),
  'complete-graph': ({ verification }) => ({ completeGraph: { verification } }),
  'san-fermin': ({ sanFermin }) => ({ sanFermin }),
  gossip: ({ gossip }) => ({ gossip }),
};

/** Generates any runnable scenario, in which any field may differ from its default. */
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
      verification: fc.constantFrom(...graphVerifications),
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
      candidates: fc.integer({ min: 1, max: 4 }),
      replyTimeoutMs: positiveMs(400),
      exhausted: fc.constantFrom(...exhaustedRules),
      of: fc.constantFrom('individuals' as const, 'aggregates' as const),
      degree: fc.integer({ min: 4, max: 9 }),
    })
    .map(
      ({
        spread,
        deadBy,
        startsApartMs,
        verification,
        attack,
        candidates,
        replyTimeoutMs,
        exhausted,
        of,
        degree,
        without,
        backOff,
        branching,
        batch,
        ...fields
      }) => {
        const isOnMachines = hasMachines(fields.network);
        const isHandel = fields.protocol === 'handel';
        const possible = attacks.filter(({ against }) => against.includes(fields.protocol));
        return {
          ...defaultScenario,
          ...fields,
          deadBy: isOnMachines ? deadBy : 'chance',
          cpu: { ...defaultScenario.cpu, spread, startsApartMs: isOnMachines ? startsApartMs : 0 },
          attacks:
            attack === null || possible.length === 0
              ? []
              : [attackShare(possible[attack.place % possible.length]!.name, attack.share, attack.plan)],
          backOff: isHandel ? backOff : defaultScenario.backOff,
          branching: isHandel ? branching : 2,
          batch: isHandel ? batch : 1,
          window: isHandel ? fields.window : defaultScenario.window,
          without: isHandel ? without : [],
          ...ownFields[fields.protocol]({
            verification,
            sanFermin: { candidates, replyTimeoutMs, exhausted },
            gossip: { of, degree },
          }),
        };
      },
    );
}
