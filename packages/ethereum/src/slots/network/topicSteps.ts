import { emptySet, type MemberSet, sizeBeyond } from '@tutti/core/horn';
import { requireNumber } from '@tutti/core/input';
import { type NetworkSlot, requireSlot, withoutEve } from './networkSlot.ts';

/** Progress of the global topic in time steps from the start of the slot, for a drawing. */
export interface TopicSteps {
  readonly stepMs: number;
  /** Number of messages sent until the end of each step. */
  readonly sent: readonly number[];
  /**
   * Mean number of messages that observed nodes of a link class have verified by each step, rounded to a tenth. Range: 0
   * to the number sent.
   */
  readonly verified: readonly (readonly number[])[];
  /** Observed nodes, in the order of the rows of `reach`. */
  readonly observers: readonly number[];
  /** Votes in reach by observed node (row) and step, as a percentage of the votes cast, rounded down. */
  readonly reach: Uint8Array;
}

/**
 * Divides the events of a slot's global topic into time steps.
 *
 * @param stepMs length of a step, 1 to 60,000 ms.
 * @throws TypeError for a value that is not a slot; RangeError for an invalid step.
 */
export function topicSteps(slot: NetworkSlot, stepMs: number): TopicSteps {
  requireSlot('slot', slot);
  requireNumber('stepMs', stepMs, 1, 60_000);
  const { world, run } = slot;
  const { system, scenario, classOf, cast } = world;
  const { observers, verifiedUs } = run;
  const sets = withoutEve(world, run.sets);
  const steps = Math.floor(system.slotMs / stepMs) + 1;
  const stepOf = (us: number): number => Math.ceil(us / 1000 / stepMs);
  const sent = new Float64Array(steps);
  for (const { sentUs } of sets) if (stepOf(sentUs) < steps) sent[stepOf(sentUs)]!++;
  const verified = scenario.links.map(() => new Float64Array(steps));
  const watched = scenario.links.map(() => 0);
  const reach = new Uint8Array(observers.length * steps);
  observers.forEach((node, observer) => {
    const of = classOf[node]!;
    watched[of]!++;
    const order = sets.map((_, set) => set).filter((set) => verifiedUs[set]![observer] !== -1);
    order.sort((a, b) => verifiedUs[a]![observer]! - verifiedUs[b]![observer]!);
    const has: (MemberSet | undefined)[] = [];
    const votes = new Float64Array(steps);
    for (const set of order) {
      const at = stepOf(verifiedUs[set]![observer]!);
      if (at >= steps) break;
      const { group, bits } = sets[set]!;
      const before = has[group] ?? emptySet(32 * bits.length);
      votes[at]! += sizeBeyond(bits, before);
      has[group] = before.map((word, index) => word | bits[index]!);
      verified[of]![at]!++;
    }
    let sum = 0;
    for (let step = 0; step < steps; step++) {
      sum += votes[step]!;
      reach[observer * steps + step] = Math.floor((100 * sum) / Math.max(1, cast));
    }
  });
  return {
    stepMs,
    sent: summed(sent, 1),
    verified: verified.map((counts, of) => summed(counts, Math.max(1, watched[of]!))),
    observers: [...observers],
    reach,
  };
}

/** Returns the cumulative counts by step, divided by a number and rounded to a tenth. */
function summed(counts: Float64Array, by: number): number[] {
  let sum = 0;
  return Array.from(counts, (count) => {
    sum += count;
    return Math.round((10 * sum) / by) / 10;
  });
}
