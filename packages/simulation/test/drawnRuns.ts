import { mechanisms } from '@tutti/core';
import type { Draw } from '../../../tests/drawn.ts';
import { digestOf } from '../../../tests/outcomes.ts';
import { attacks } from '../src/attacks/attacks.ts';
import { hasMachines } from '../src/engine/network/network.ts';
import { createSimulation } from '../src/run/simulation.ts';
import type { Fault, NodeSet } from '../src/scenario/faultPlan.ts';
import { defaultScenario, type Scenario } from '../src/scenario/scenario.ts';
import type { SimulationOptions } from '../src/world/extensions.ts';

/** Generates any fault for a plan, on nodes from 0 to `nodes` - 1. */
export function drawFault(draw: Draw, nodes: number): Fault {
  const set = (): NodeSet =>
    draw.chance(0.5) ? { share: draw.number(0.1, 0.5) } : [...new Set(draw.list(3, () => draw.integer(0, nodes - 1)))];
  const links = {
    ...(draw.chance(0.3) && { from: set() }),
    ...(draw.chance(0.3) && { to: set() }),
    ...(draw.chance(0.5) && { atMs: draw.integer(0, 100) }),
    ...(draw.chance(0.5) && { forMs: draw.integer(50, 300) }),
  };
  const span = { nodes: set(), atMs: draw.integer(0, 200), forMs: draw.integer(20, 300) };
  const share = draw.number(0.05, 0.3);
  return draw.one<() => Fault>([
    () => ({ kind: 'crash', nodes: [draw.integer(0, nodes - 1)], atMs: draw.integer(0, 300) }),
    () => ({ kind: 'restart', ...span, state: draw.one(['lost', 'kept']) }),
    () => ({ kind: 'pause', ...span }),
    () => ({ kind: 'partition', ...span }),
    () => ({ kind: 'loss', share, ...links }),
    () => ({ kind: 'duplication', share, ...(draw.chance(0.5) && { withinMs: draw.integer(0, 60) }), ...links }),
    () => ({ kind: 'reordering', share, byMs: draw.integer(1, 80), ...links }),
    () => ({ kind: 'corruption', share, ...(draw.chance(0.7) && { of: draw.one(['signature', 'bits']) }), ...links }),
    () => ({ kind: 'slow-links', byMs: draw.integer(1, 60), ...links }),
    () => ({ kind: 'slow-nodes', nodes: set(), factor: draw.number(1, 5), atMs: 20, forMs: draw.integer(50, 200) }),
    () => ({ kind: 'skew', nodes: set(), byMs: draw.integer(-60, 60) }),
    () => ({ kind: 'drift', nodes: set(), rate: draw.number(0.5, 2) }),
  ])();
}

/** Generates a run of a few nodes with the given fields; any other field may differ from its default. */
export function drawRun(draw: Draw, seed: number, given: Partial<Scenario> = {}): Scenario {
  const nodes = given.nodes ?? draw.integer(5, 24);
  const network = draw.one(['aws', 'constant:20', 'distance', 'mixed:20,200,0.25', 'aws-blocks:4']);
  const isOnMachines = hasMachines(given.network ?? network);
  const weighs = (given.protocol ?? 'handel') === 'handel' && draw.chance(0.2);
  return {
    ...defaultScenario,
    nodes,
    network,
    seed,
    tree: draw.one(['spread', 'packed']),
    branching: draw.one([2, 2, 4, 8]),
    threshold: draw.one([0.99, 0.51, 0.75, 1]),
    tor: draw.one([0, 0, 0.3]),
    dead: draw.one([0, 0, 0.2]),
    deadBy: isOnMachines ? draw.one(['chance', 'machine']) : 'chance',
    absent: draw.one([0, 0, 1]),
    absentMs: 125.5,
    desyncMs: draw.one([0, 33.25]),
    periodMs: draw.one([20, 11.5]),
    levelStartMs: draw.one([50, 20]),
    fastPath: draw.integer(0, 4),
    backOff: draw.chance(0.5),
    batch: draw.one([1, 1, 2, 4]),
    verifyMs: draw.one([4, 1, 9.5]),
    cpu: {
      spread: draw.one([3, 1]),
      perKeyUs: draw.one([0, 30]),
      perMessageUs: 0,
      nodesPerCore: 0,
      sliceMs: 0,
      startsApartMs: isOnMachines ? draw.one([0, 12.5]) : 0,
      ...(draw.chance(0.3) && { perMessageUs: 200, nodesPerCore: 3, sliceMs: 2 }),
    },
    priorities: draw.one(['shifted', 'independent']),
    window: draw.one(['relative', 'paper']),
    weights: weighs ? draw.one(['pareto:1.2', `${nodes - 2}x10,2x70`]) : 'equal',
    prioritiesBy: draw.one(['weight', 'id']),
    without: draw.chance(0.2) ? [draw.one(mechanisms)] : [],
    ...given,
  };
}

/** Generates attacks against the protocol of a run, with a third of the run's nodes in total. */
export function drawAttacks(draw: Draw, scenario: Scenario): Scenario {
  const against = attacks.filter((attack) => attack.against.includes(scenario.protocol));
  const chosen = draw.some(against, 1.5 / against.length).slice(0, 3);
  return { ...scenario, dead: 0, attacks: chosen.map(({ name }) => ({ name, share: 0.1 + 0.2 / chosen.length })) };
}

/** Returns a digest of all that a run reports, with its recording, unsatisfied nodes and heaviest output. */
export function outcomeText(scenario: Scenario, options: SimulationOptions = {}): string {
  const simulation = createSimulation(scenario, { record: true, giveUpAfterMs: 3000, ...options });
  const steps: unknown[] = [];
  for (let left = 4; left > 0 && simulation.advance(500); left--)
    steps.push([simulation.nowUs, simulation.reached, simulation.live, simulation.events, simulation.unsatisfied()]);
  while (simulation.advance(1 << 16));
  const { version: _, scenario: __, ...result } = simulation.result();
  const { scenario: ___, result: ____, ...lines } = simulation.recording();
  return digestOf([steps, result, lines, simulation.unsatisfied(), simulation.heaviestOutput?.node]);
}
