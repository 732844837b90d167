import { habits } from '../simulation/habits.ts';
import { defaultScenario, type Scenario } from '../simulation/scenario.ts';

/** What is fitted to the published means at N = 100, 1000 and 4000, and to nothing else; docs/twin.md says how. */
export interface TwinParameters {
  /** How many times slower the machines were than the fast core on which a check takes 2.4 ms and 1.77 µs a key. */
  readonly machineFactor: number;
  /** What sending a message costs, and again taking one in, µs. */
  readonly perMessageUs: number;
  /** Nodes start within so many ms at N = 100, and within so many more for each doubling of N. */
  readonly startsMs: number;
  readonly startsPerDoublingMs: number;
}

export const twinParameters: TwinParameters = {
  machineFactor: 1.4,
  perMessageUs: 400,
  startsMs: 112,
  startsPerDoublingMs: 38,
};

/** Pairing, and adding one public key, on a fast core. */
const pairingMs = 2.4;
const perKeyUs = 1.77;

/** How long Go's scheduler leaves the core to who has it. */
const sliceMs = 10;

/**
 * The deployment's twin: the world in which the paper's figures 3 to 6 were measured (v1.03 section 7.1), two nodes on each machine, with the
 * habits that the Go reference has and the paper does not ask for. Compare its `untilThreshold` with the published points.
 */
export function twinScenario(
  nodes: number,
  change: Partial<Scenario> = {},
  parameters: TwinParameters = twinParameters,
): Scenario {
  const { machineFactor, perMessageUs, startsMs, startsPerDoublingMs } = parameters;
  return {
    ...defaultScenario,
    nodes,
    tree: 'packed',
    network: 'aws-blocks',
    periodMs: 10,
    desyncMs: Math.max(0, startsMs + startsPerDoublingMs * Math.log2(nodes / 100)),
    verifyMs: pairingMs * machineFactor,
    cpu: { spread: 1, perKeyUs: perKeyUs * machineFactor, perMessageUs, nodesPerCore: 2, sliceMs, startsApartMs: 0 },
    wire: 'go-reference',
    habits: (change.protocol ?? 'handel') === 'handel' ? [...habits] : [],
    ...change,
  };
}
