import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotResult, SlotSteps } from '@tutti/ethereum';
import type { CommitteeRun } from '@tutti/lab';
import { fetched } from '../files.ts';

/** A slot under one system, in the form that a field shows. */
export interface SlotLane {
  readonly result: SlotResult;
  readonly steps: SlotSteps;
}

/** Handel on one committee of a slot, or on a part of the committee. */
export interface CommitteeLane extends CommitteeRun {
  /**
   * Number of validators of the committee. The run may have fewer nodes than the committee has validators, to keep the
   * simulation short.
   */
  readonly validators: number;
}

/**
 * Content of a field: a slot, Handel on one of the slot's committees, or the title of a simulation that is still
 * running.
 */
export type FieldLane = SlotLane | CommitteeLane | { readonly title: string };

interface StoredSteps {
  readonly counts: SlotSteps['counts'];
  /** Field data in base64. */
  readonly quarters: string;
}

interface StoredFile {
  readonly stepUs: number;
  readonly lanes: readonly (StoredSteps & { readonly result: SlotResult })[];
  readonly committee: StoredSteps & Omit<CommitteeRun, 'steps'>;
}

/** Slot that was recorded when the page was built. */
export interface SlotFile {
  /** Lanes for the systems, in the order of `hornSystems`. */
  readonly lanes: readonly SlotLane[];
  readonly committee: CommitteeRun;
}

/** Decodes the file that `npm run data -- slots` writes. */
export function readSlotFile({ stepUs, lanes, committee }: StoredFile): SlotFile {
  const unpacked = ({ counts, quarters }: StoredSteps): SlotSteps => ({
    stepUs,
    counts,
    quarters: Uint8Array.from(atob(quarters), (character) => character.charCodeAt(0)),
  });
  const of = (system: HornSystem): SlotLane => {
    const stored = lanes.find(({ result }) => result.scenario.system === system);
    if (!stored) throw new TypeError(`slots.json: expected a slot of ${system}, got none; run npm run data -- slots`);
    return { result: stored.result, steps: unpacked(stored) };
  };
  return { lanes: hornSystems.map(of), committee: { ...committee, steps: unpacked(committee) } };
}

/** Loads the slot that was recorded when the page was built. */
export async function recordedSlots(): Promise<SlotFile> {
  return readSlotFile(await fetched(new URL('./slots.json', import.meta.url)));
}

/** Time steps of a recorded slot. The steps cover the longest slot, which is Horn's with 22 s. */
export const pageSteps = { stepUs: 100_000, steps: 220 } as const;

/**
 * Returns the numbers of votes in each state at a moment, which is rounded down to a whole step. For moments after the
 * last step, the numbers at the last step are returned.
 */
export function countsAt(
  { counts, stepUs }: SlotSteps,
  timeUs: number,
): readonly [cast: number, seen: number, reach: number] {
  const step = Math.min(counts[0]!.length - 1, Math.floor(timeUs / stepUs));
  return [counts[0]![step]!, counts[1]![step]!, counts[2]![step]!];
}

/** Returns the number of quarters of a subcommittee that had reached a stage by a step, 0 to 4. */
export function quartersAt({ quarters }: SlotSteps, subcommittee: number, stage: number, step: number): number {
  const first = (subcommittee * 3 + stage) * 4;
  let passed = 0;
  while (passed < 4 && quarters[first + passed]! <= step) passed++;
  return passed;
}
