import { hornSizes, slotClock } from '@tutti/core/horn';
import { expected, requireInteger, requireObject } from '@tutti/core/input';
import { keysUs, neverStep, type SlotScenario, type SlotSteps, slotSteps } from '@tutti/ethereum';
import { defaultScenario, NodeRole, type Scenario } from '@tutti/simulation';
import { runRace } from './race.ts';

/** Result of Handel among the validators of one committee, in the times and steps of a slot. */
export interface CommitteeRun {
  readonly scenario: Scenario;
  readonly digest: string;
  readonly live: number;
  /** Number of live honest nodes that reached the threshold. */
  readonly reached: number;
  /**
   * Time from the start of the slot until the last live honest node reached the threshold, ms; the time of the votes if
   * none did.
   */
  readonly doneMs: number;
  /** Means over the live honest nodes. */
  readonly bytesSent: number;
  readonly messagesSent: number;
  /**
   * Number of nodes at each stage, by step: nodes that have cast their vote, that have half of the threshold, and that
   * have the whole threshold. The groups of {@link committeeCells} replace subcommittees.
   */
  readonly steps: SlotSteps;
}

/**
 * Number of groups of consecutive nodes into which a committee is divided for counting: the post's subcommittees per
 * committee.
 */
export const committeeCells = 64;

/**
 * Returns the scenario of Handel among the validators of one committee. Each validator is a node on a standard machine,
 * as in a slot. One check covers the slot's signatures and the keys of a level's contribution. Since levels double in
 * size, the mean number of keys over the levels of a committee is its size divided by its log2.
 *
 * Byzantine validators send invalid contributions in this scenario, whatever they do in the slot, because Handel has no
 * aggregators or collectors. If the threshold is a number of votes of the slot, Handel requires the same share of its
 * nodes, rounded up.
 *
 * @param maxNodes maximum number of nodes of the committee that take part.
 */
export function committeeScenario(slot: SlotScenario, maxNodes = Number.POSITIVE_INFINITY): Scenario {
  const { parameters, network, tor, dead, desyncMs, threshold, verifyMs, additionNs, keySums, seed, attacks } = slot;
  const nodes = Math.min(maxNodes, hornSizes(parameters).committee);
  const keys = nodes / Math.max(1, Math.log2(nodes));
  const share = attacks.reduce((sum, one) => sum + one.share, 0);
  return {
    ...defaultScenario,
    nodes,
    network,
    tor,
    dead,
    desyncMs,
    threshold: threshold < 2 ? threshold : Math.max(2, Math.ceil((threshold * nodes) / parameters.validators)),
    seed,
    verifyMs: verifyMs + keysUs(nodes, keys, keySums, additionNs) / 1000,
    cpu: { ...defaultScenario.cpu, spread: 1 },
    attacks: share === 0 ? [] : [{ name: 'invalid', share }],
  };
}

/** Options of {@link runCommittee}. */
export interface CommitteeOptions {
  /** Length of a step, µs. */
  readonly stepUs: number;
  /** Number of steps for which nodes are counted. */
  readonly steps: number;
  /** Maximum number of nodes that take part, a multiple of 64. Default: the whole committee. */
  readonly maxNodes?: number;
}

/**
 * Simulates Handel in one committee, beginning with the votes.
 *
 * @throws RangeError if the number of nodes is not a multiple of {@link committeeCells}, or the length or number of
 * steps is invalid.
 */
export function runCommittee(slot: SlotScenario, options: CommitteeOptions): CommitteeRun {
  requireObject('slot', slot, 'a scenario like defaultSlotScenario');
  requireObject('options', options);
  const { stepUs, steps, maxNodes } = options;
  requireInteger('options.stepUs', stepUs, 1, 60_000_000);
  requireInteger('options.steps', steps, 1, neverStep - 1);
  const committee = committeeScenario(slot, maxNodes);
  if (committee.nodes % committeeCells !== 0)
    throw new RangeError(expected('nodes of the committee', `a multiple of ${committeeCells}`, committee.nodes));
  const { attestUs } = slotClock(slot.system, slot.parameters);
  const { scenario, digest, live, reached, lastMs, bytesSent, messagesSent, marks, marksUs, startUs, role } = runRace(
    committee,
    undefined,
    (threshold) => [threshold / 2, threshold],
  );
  const slotUs = (us: number) => (us < 0 ? -1 : attestUs + us);
  const markedUs = (mark: number) => Int32Array.from(role, (_, id) => slotUs(marksUs[id * marks.length + mark]!));
  const staged = {
    subcommittee: role.length / committeeCells,
    attack: Int8Array.from(role, (of) => (of === NodeRole.honest ? -1 : 0)),
    castUs: startUs.map(slotUs),
    seenUs: markedUs(0),
    reachUs: markedUs(1),
  };
  return {
    scenario,
    digest,
    live,
    reached,
    bytesSent,
    messagesSent,
    doneMs: attestUs / 1000 + lastMs,
    steps: slotSteps(staged, stepUs, steps),
  };
}
