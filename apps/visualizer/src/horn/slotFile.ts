import { type HornSystem, hornSystems } from '@tutti/core/horn';
import type { SlotResult, SlotSteps } from '@tutti/ethereum';
import type { CommitteeRun } from '@tutti/lab';
import { bytesOf, fetched } from '../files.ts';

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
  /** Quarters of {@link SlotSteps} in base64. */
  readonly quarters: string;
}

interface StoredFile {
  readonly stepUs: number;
  readonly lanes: readonly (StoredSteps & { readonly result: SlotResult })[];
  readonly committee: StoredSteps & Omit<CommitteeRun, 'steps'>;
}

/** Slot recorded in `slots.json` with each system, and with Handel on one of its committees. */
export interface SlotFile {
  /** Lanes for the systems, in the order of `hornSystems`. */
  readonly lanes: readonly SlotLane[];
  readonly committee: CommitteeRun;
}

/** Decodes the file that `npm run data -- slots` writes. @throws TypeError if the slot of a system is missing. */
export function readSlotFile({ stepUs, lanes, committee }: StoredFile): SlotFile {
  const unpacked = ({ counts, quarters }: StoredSteps) => ({ stepUs, counts, quarters: bytesOf(quarters) });
  const of = (system: HornSystem): SlotLane => {
    const stored = lanes.find(({ result }) => result.scenario.system === system);
    if (!stored) throw new TypeError(`slots.json: expected a slot of ${system}, got none; run npm run data -- slots`);
    return { result: stored.result, steps: unpacked(stored) };
  };
  return { lanes: hornSystems.map(of), committee: { ...committee, steps: unpacked(committee) } };
}

/** Loads the recorded slot. */
export async function recordedSlots(): Promise<SlotFile> {
  return readSlotFile(await fetched(new URL('./slots.json', import.meta.url)));
}

/** Duration and number of a slot's time steps. The steps cover the longest slot, which is Horn's with 22 s. */
export const pageSteps = { stepUs: 100_000, steps: 220 } as const;

/** Returns the numbers of votes in each state at the last step that is not later than a given moment. */
export function countsAt(
  { counts, stepUs }: SlotSteps,
  timeUs: number,
): readonly [cast: number, seen: number, reach: number] {
  const step = Math.min(counts[0]!.length - 1, Math.floor(timeUs / stepUs));
  return [counts[0]![step]!, counts[1]![step]!, counts[2]![step]!];
}

/**
 * Returns the number of a subcommittee's quarters that have reached a stage by a given step, inclusive, 0 to 4.
 *
 * @param stage 0 for cast, 1 for with an aggregator, 2 for in reach.
 */
export function quartersAt({ quarters }: SlotSteps, subcommittee: number, stage: number, step: number): number {
  const first = (subcommittee * 3 + stage) * 4;
  let passed = 0;
  while (passed < 4 && quarters[first + passed]! <= step) passed++;
  return passed;
}
