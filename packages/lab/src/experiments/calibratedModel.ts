import { partOf, requireObject } from '@tutti/core/settings';
import { defaultScenario } from '@tutti/simulation';
import type { LabScenario } from '../goReference/labScenario.ts';
import { referenceQuirks } from '../goReference/referenceQuirks.ts';

/** What is fitted to the published means; docs/research/calibrated-model.md says how, and to which. */
export interface CalibratedParameters {
  /** How many times slower the machines were than the fast core on which a check takes 2.4 ms and 1.77 µs a key. */
  readonly machineFactor: number;
  /** What sending a message costs, and what receiving one costs too, µs. */
  readonly perMessageUs: number;
  /**
   * How much later the second live node of a machine starts than the first at N = 100, and for each doubling of N, ms.
   */
  readonly startsApartMs: number;
  readonly startsApartPerDoublingMs: number;
}

export const calibratedParameters: CalibratedParameters = {
  machineFactor: 1.4,
  perMessageUs: 380,
  startsApartMs: 74,
  startsApartPerDoublingMs: 21,
};

/** Pairing, and adding one public key, on a fast core. */
const pairingMs = 2.4;
const perKeyUs = 1.77;

/** How long Go's scheduler lets a goroutine keep the core. */
const sliceMs = 10;

/**
 * How many contributions a published run waits for: the Go reference rounds the share down, where {@link
 * thresholdCount} rounds it up. At the published sizes both counts are equal; with failing nodes, it is a share of all
 * nodes.
 */
export function referenceThreshold(share: number, nodes: number): number {
  const count = partOf(nodes, share);
  return count < 2 ? 1 / nodes : count;
}

/**
 * The calibrated model of the deployment: the world in which the paper's figures 3 to 6 were measured (v1.03 section
 * 7.1), two nodes on each machine, with the quirks that the Go reference has and the paper does not ask for. Compare
 * its `untilThreshold` with the published points.
 */
export function calibratedScenario(
  nodes: number,
  change: Partial<LabScenario> = {},
  parameters: CalibratedParameters = calibratedParameters,
): LabScenario {
  requireObject('change', change);
  requireObject('parameters', parameters);
  const { machineFactor, perMessageUs } = parameters;
  const startsApartMs = parameters.startsApartMs + parameters.startsApartPerDoublingMs * Math.log2(nodes / 100);
  return {
    ...defaultScenario,
    nodes,
    threshold: referenceThreshold(0.99, nodes),
    tree: 'packed',
    network: 'aws-blocks',
    deadBy: 'machine',
    periodMs: 10,
    verifyMs: pairingMs * machineFactor,
    cpu: {
      spread: 1,
      perKeyUs: perKeyUs * machineFactor,
      perMessageUs,
      nodesPerCore: 2,
      sliceMs,
      startsApartMs: Math.max(0, startsApartMs),
    },
    backOff: false,
    without: ['start-timers'],
    goReference: { quirks: (change.protocol ?? 'handel') === 'handel' ? referenceQuirks : [] },
    ...change,
  };
}
