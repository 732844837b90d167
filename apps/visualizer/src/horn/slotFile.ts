import { type HornSystem, hornSystems, type SlotResult, type SlotSteps } from '@tutti/core/horn';

/** One system's slot, as the three fields show it. */
export interface SlotLane {
  readonly result: SlotResult;
  readonly steps: SlotSteps;
}

interface StoredFile {
  readonly stepUs: number;
  readonly lanes: readonly {
    readonly result: SlotResult;
    readonly counts: SlotSteps['counts'];
    /** Base64. */
    readonly quarters: string;
  }[];
}

/** Unpacks what `npm run slots` wrote: one slot with each system, in the order of `hornSystems`. */
export function readSlotFile({ stepUs, lanes }: StoredFile): readonly SlotLane[] {
  const of = (system: HornSystem): SlotLane => {
    const stored = lanes.find(({ result }) => result.scenario.system === system);
    if (!stored)
      throw new TypeError(`slots.json: expected a slot of ${system}, got none; npm run slots writes it anew`);
    const quarters = Uint8Array.from(atob(stored.quarters), (character) => character.charCodeAt(0));
    return { result: stored.result, steps: { stepUs, counts: stored.counts, quarters } };
  };
  return hornSystems.map(of);
}

/** The steps that a slot of the page is kept in: to the end of the longest, Horn's 22 s. */
export const pageSteps = { stepUs: 100_000, steps: 220 } as const;

/** How far the votes were at a moment, by whole steps; after the last step, as at it. */
export function countsAt(
  { counts, stepUs }: SlotSteps,
  timeUs: number,
): readonly [cast: number, seen: number, reach: number] {
  const step = Math.min(counts[0]!.length - 1, Math.floor(timeUs / stepUs));
  return [counts[0]![step]!, counts[1]![step]!, counts[2]![step]!];
}

/** How many quarters of a subcommittee had come to a stage by a step. */
export function quartersAt({ quarters }: SlotSteps, subcommittee: number, stage: number, step: number): number {
  const first = (subcommittee * 3 + stage) * 4;
  let passed = 0;
  while (passed < 4 && quarters[first + passed]! <= step) passed++;
  return passed;
}
