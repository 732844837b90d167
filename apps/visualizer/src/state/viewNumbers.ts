import { LineKind } from '@tutti/simulation';
import { completionTimes } from '../completion/completionView.ts';
import { rounded, type TableLine, type TableLines } from '../files.ts';
import { publishedTimes, runPoint } from '../growth/growthView.ts';
import { placesOf } from '../map/places.ts';
import { columnTimeUs, parts } from '../timeline/grids.ts';
import { heldAt } from '../timeline/heldSteps.ts';
import { inLevelAt, nodeMessages, nodeStory } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { BetweenView } from './pageState.ts';

/** Shown state of a run: a node's view at a moment. */
interface ShownMoment {
  readonly index: RunIndex;
  readonly node: number;
  readonly timeUs: number;
  readonly between: BetweenView;
}

type Lines = Generator<TableLine, void, undefined>;

/**
 * Returns the numbers of a view, one line at a time, or undefined if the run lacks the view's data. The first line
 * contains the names of the columns.
 */
type ViewNumbers = (shown: ShownMoment) => TableLines | undefined;

const inMs = (us: number) => (us < 0 ? null : us / 1000);

function* tree({ index, node, timeUs }: ShownMoment): Lines {
  yield ['level', 'weight', 'since_ms'];
  const story = nodeStory(index, node);
  for (let level = 1; level <= index.recording.world.levels; level++) {
    const { weight, sinceUs } = inLevelAt(story, level, timeUs);
    yield [level, weight, inMs(sinceUs)];
  }
}

/** Yields all messages in transit at the shown moment, including those that are not drawn. */
function* inFlight({ index, timeUs: atUs }: ShownMoment): Lines {
  yield messageColumns;
  const { length, kind, timeUs, untilUs } = index.recording;
  const lines: number[] = [];
  for (let line = 0; line < length; line++)
    if (kind[line] === LineKind.send && timeUs[line]! <= atUs && untilUs[line]! > atUs) lines.push(line);
  yield* messageLines(index, lines);
}

function* levels({ index }: ShownMoment): Lines {
  yield ['time_ms', 'level', 'nothing', 'less_than_half', 'half_or_more', 'all'];
  const { columns, levels: many, nodes } = index.levels;
  for (let column = 0; column < index.grid.known; column++)
    for (let level = 1; level <= many; level++) {
      const at = ((level - 1) * columns + column) * parts;
      yield [columnTimeUs(column, columns, index.spanUs) / 1000, level, ...nodes.subarray(at, at + parts)];
    }
}

function* map({ index, timeUs }: ShownMoment): Lines {
  yield ['node', 'place', 'latitude', 'longitude', 'held'];
  for (const { name, latitude, longitude, nodes } of placesOf(index.recording) ?? [])
    for (const id of nodes)
      yield [id, name, rounded(latitude, 2), rounded(longitude, 2), heldAt(index.steps, id, timeUs)];
}

function* timeSpace({ index, node }: ShownMoment): Lines {
  yield messageColumns;
  const { came, went } = nodeMessages(index.recording, node);
  yield* messageLines(
    index,
    [...came, ...went].sort((a, b) => a - b),
  );
}

function* progress({ index: { grid } }: ShownMoment): Lines {
  yield ['time_ms', 'fewest_held', 'mean_held', 'most_held'];
  for (let column = 0; column < grid.known; column++)
    yield [
      columnTimeUs(column, grid.columns, grid.spanUs) / 1000,
      grid.min[column]!,
      rounded(grid.mean[column]!, 3),
      grid.max[column]!,
    ];
}

function* completion({ index }: ShownMoment): Lines {
  yield ['node', 'threshold_ms'];
  for (const [id, us] of completionTimes(index).entries()) if (us >= 0) yield [id, us / 1000];
}

function* growth({ index }: ShownMoment): Lines {
  yield ['nodes', 'least_ms', 'mean_ms', 'greatest_ms', 'source'];
  for (const { x, min, mean, max } of publishedTimes) yield [x, min, mean, max, 'published'];
  const run = runPoint(index.recording.result);
  if (run) yield [run.x, run.min, run.mean, run.max, 'this run'];
}

const messageColumns = ['from', 'to', 'level', 'weight', 'departed_ms', 'arrived_ms'] as const;

function* messageLines({ recording }: RunIndex, lines: readonly number[]): Lines {
  const { node, peer, level, value, timeUs, untilUs } = recording;
  for (const line of lines)
    yield [node[line]!, peer[line]!, level[line]!, value[line]!, timeUs[line]! / 1000, inMs(untilUs[line]!)];
}

/** Numbers of each view, by the view's name in the page. */
export const viewNumbers: Readonly<Record<string, ViewNumbers>> = {
  tree,
  flight(shown) {
    if (shown.between === 'map') return map(shown);
    if (shown.between === 'levels' || shown.index.flights === undefined) return levels(shown);
    return inFlight(shown);
  },
  'time-space': (shown) => (shown.index.recording.sends ? timeSpace(shown) : undefined),
  progress,
  completion,
  growth: (shown) => (shown.index.recording.scenario.protocol === 'handel' ? growth(shown) : undefined),
};
