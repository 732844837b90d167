import { partOf, requireObject } from '@tutti/core/input';
import { defaultScenario } from '@tutti/simulation';
import type { LabScenario } from '../goReference/labScenario.ts';
import { referenceQuirks } from '../goReference/quirkMemory.ts';

/** Parameters that are fitted to the published means; docs/research/calibrated-model.md describes the fit. */
export interface CalibratedParameters {
  /** Ratio of a check's time on these machines to its time on a fast core, 2.4 ms plus 1.77 µs per key. */
  readonly machineFactor: number;
  /** CPU time to send a message, and to receive one, µs. */
  readonly perMessageUs: number;
  /**
   * Delay between the starts of two live nodes on the same machine at N = 100, and its increase per doubling of N, ms.
   * The delay is at least 0.
   */
  readonly startsApartMs: number;
  readonly startsApartPerDoublingMs: number;
}

/** Fitted parameters of the calibrated model. */
export const calibratedParameters: CalibratedParameters = {
  machineFactor: 1.4,
  perMessageUs: 380,
  startsApartMs: 74,
  startsApartPerDoublingMs: 21,
};

/** Time of a pairing, ms, and of adding one public key, µs, on a fast core. */
const pairingMs = 2.4;
const perKeyUs = 1.77;

/** Time after which Go's scheduler may give the core to another goroutine, ms. */
const sliceMs = 10;

/**
 * Returns the `threshold` of a scenario that waits for as many contributions as a published run. The Go reference
 * rounds the share down; `thresholdCount` rounds it up. At the published sizes both counts are equal. With failing
 * nodes, the share refers to all nodes.
 *
 * @returns the number of contributions, or the share of one node if the number is less than 2, because a threshold of 1
 * is a share.
 */
export function referenceThreshold(share: number, nodes: number): number {
  const count = partOf(nodes, share);
  return count < 2 ? 1 / nodes : count;
}

/**
 * Returns the calibrated model of the deployment in which the paper's figures 3 to 6 were measured (v1.03 section 7.1).
 * The model has two nodes per machine. Its Handel nodes reproduce the Go reference's deviations from the paper. Compare
 * the model's `untilThreshold` with the published points.
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
