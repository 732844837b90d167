import type { Recording } from '@tutti/core';
import { type Flights, flights } from './flights.ts';
import { type HeldSteps, heldSteps } from './heldSteps.ts';

/** A recording with what is worked out of it once, so that any moment of it can be drawn at once. */
export interface RunIndex {
  readonly recording: Recording;
  /** False while the run goes on: then this is what there is of it so far. */
  readonly done: boolean;
  /** Up to when the run is known. */
  readonly endUs: number;
  /** What the time axes span: the run, or while it goes on a guess at its length. */
  readonly spanUs: number;
  readonly steps: HeldSteps;
  readonly flights: Flights;
}

export function runIndex(recording: Recording, done: boolean): RunIndex {
  const endUs = recording.length === 0 ? 0 : recording.timeUs[recording.length - 1]!;
  return {
    recording,
    done,
    endUs,
    spanUs: done ? endUs : Math.max(endUs, likelySpanUs(recording)),
    steps: heldSteps(recording),
    flights: flights(recording),
  };
}

/** Most runs end soon after their last level has begun. */
function likelySpanUs({ scenario, world }: Recording): number {
  return (world.levels * scenario.levelStartMs + scenario.desyncMs + 20) * 1000;
}
