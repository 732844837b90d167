import { NodeRole } from '@tutti/simulation';
import type { RaceLane } from '../race/raceFile.ts';
import type { RunIndex } from '../timeline/runIndex.ts';

/** Into how many parts a cell fills. */
const perNode = 16;
/** Stands for "never": after every moment that can be drawn. */
const never = 2 ** 31 - 1;

/** A run as a field of cells: when each honest node held each sixteenth of the threshold, microseconds. */
export function laneOf({ recording, steps }: Pick<RunIndex, 'recording' | 'steps'>): RaceLane {
  const { world, scenario, result } = recording;
  const marks = new Int32Array(world.nodes * perNode).fill(never);
  for (let id = 0; id < world.nodes; id++) {
    let passed = 0;
    for (let step = steps.offset[id]!; step < steps.offset[id + 1]! && passed < perNode; step++) {
      const part = Math.floor((steps.held[step]! / world.threshold) * perNode);
      while (passed < Math.min(perNode, part)) marks[id * perNode + passed++] = steps.timeUs[step]!;
    }
  }
  return {
    protocol: scenario.protocol,
    digest: result.digest,
    marks,
    perNode,
    alive: Uint8Array.from(world.alive, (role) => (role === NodeRole.honest ? 1 : 0)),
  };
}

/** A run as a field of cells, and its result: all that is needed to show it beside others. */
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

/** When each honest node of each run had the threshold; empty where it never had. */
export function* besideCsv(runs: readonly LaneRun[]): Generator<(string | number)[]> {
  yield ['protocol', 'node', 'threshold_ms'];
  for (const { lane } of runs)
    for (const [id, honest] of lane.alive.entries()) {
      if (honest === 0) continue;
      const us = lane.marks[(id + 1) * lane.perNode - 1]!;
      yield [lane.protocol, id, us === never ? '' : us / 1000];
    }
}
