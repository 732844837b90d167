import { doublings } from '@tutti/lab';
import { NodeRole } from '@tutti/simulation';
import type { TableLine } from '../files.ts';
import type { RaceLane } from '../race/raceFile.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/** Value for "never". It is later than every moment that can be drawn. */
const never = 2 ** 31 - 1;

/**
 * Converts a run to a field of cells: the times at which each honest node held each power of two and the threshold,
 * microseconds.
 */
export function laneOf({ recording, steps }: Pick<RunIndex, 'recording' | 'steps'>): RaceLane {
  const { world, scenario, result } = recording;
  const weights = doublings(world.threshold);
  const perNode = weights.length;
  const marks = new Int32Array(world.nodes * perNode).fill(never);
  for (let id = 0; id < world.nodes; id++) {
    let passed = 0;
    for (let step = steps.offset[id]!; step < steps.offset[id + 1]! && passed < perNode; step++) {
      while (passed < perNode && steps.held[step]! >= weights[passed]!)
        marks[id * perNode + passed++] = steps.timeUs[step]!;
    }
  }
  return {
    protocol: scenario.protocol,
    digest: result.digest,
    marks,
    perNode,
    alive: Uint8Array.from(world.alive),
  };
}

/** A run as a field of cells, together with its result, for comparison. */
export interface LaneRun {
  readonly lane: RaceLane;
  readonly endUs: number;
  readonly reached: number;
  readonly live: number;
}

export function laneRun(index: Pick<RunIndex, 'recording' | 'steps' | 'endUs'>): LaneRun {
  const { reached, live } = index.recording.result;
  return { lane: laneOf(index), endUs: index.endUs, reached, live };
}

/** Yields the times at which each honest node of each run reached the threshold; empty if none reached it. */
export function* comparedNumbers(runs: readonly LaneRun[]): Generator<TableLine> {
  yield ['protocol', 'node', 'threshold_ms'];
  for (const { lane } of runs)
    for (const [id, role] of lane.alive.entries()) {
      if (role !== NodeRole.honest) continue;
      const us = lane.marks[(id + 1) * lane.perNode - 1]!;
      yield [lane.protocol, id, us === never ? null : us / 1000];
    }
}
