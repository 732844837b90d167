import { defaultScenario, type Scenario } from '../simulation/scenario.ts';

/** What is fitted to the published points of N = 100, 1000 and 4000, and to nothing else; docs/twin.md says how. */
export interface TwinParameters {
  /** How many times slower the machines were than the fast core on which a check takes 2.4 ms and 1.77 µs a key. */
  readonly machineFactor: number;
  /** What sending a message costs, and again taking one in, µs. */
  readonly perMessageUs: number;
  /** Nodes were told to start one after another: the last of N starts so many ms after the first, and so many µs a node later. */
  readonly startMs: number;
  readonly startPerNodeUs: number;
}

export const twinParameters: TwinParameters = {
  machineFactor: 1.7,
  perMessageUs: 200,
  startMs: 100,
  startPerNodeUs: 60,
};

/** Pairing and adding one key on a fast core. */
const pairingMs = 2.4;
const perKeyUs = 1.77;

/**
 * The deployment's twin: the world in which the paper's figures 3 to 6 were measured (v1.03 section 7.1), two nodes on each machine, with the
 * habits that the Go reference has and the paper does not ask for. Compare its `untilThreshold` with the published points.
 */
export function twinScenario(
  nodes: number,
  change: Partial<Scenario> = {},
  parameters: TwinParameters = twinParameters,
): Scenario {
  const { machineFactor, perMessageUs, startMs, startPerNodeUs } = parameters;
  return {
    ...defaultScenario,
    nodes,
    periodMs: 10,
    desyncMs: startMs + (startPerNodeUs * nodes) / 1000,
    verifyMs: pairingMs * machineFactor,
    cpu: { spread: 1, perKeyUs: perKeyUs * machineFactor, perMessageUs, nodesPerCore: 2 },
    wire: 'go-reference',
    habits:
      (change.protocol ?? 'handel') === 'handel' ? ['idle-checks', 'start-burst', 'one-round', 'no-level-flag'] : [],
    ...change,
  };
}
