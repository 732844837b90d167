import { NodeRole, perfettoTrace, type Recording, shivizLog } from '@tutti/simulation';
import { heldSinceUs } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { command } from './pageState.ts';
import { csvParts, originOfCommand, parquetFile, parquetType, rounded, type TableLine, tableOf } from './tableFile.ts';

/**
 * Maximum number of live nodes for a log. Each line has a clock of every node, so larger logs do not fit into a tab's
 * memory.
 */
const maxNodesOfLogs = 128;

type FilePart = Uint8Array<ArrayBuffer> | string;

/** File format for other tools, into which a run can be exported. */
interface ExportFormat {
  readonly id: string;
  readonly extension: string;
  readonly type: string;
  /** Returns the reason why a run cannot be exported in this format, or undefined if it can. */
  readonly refusal: (recording: Recording) => string | undefined;
  readonly parts: (index: RunIndex) => Iterable<FilePart> | AsyncIterable<FilePart>;
}

/** Formats of other tools, in the order of their buttons. */
export const exportFormats: readonly ExportFormat[] = [
  {
    id: 'perfetto',
    extension: 'perfetto-trace',
    type: 'application/octet-stream',
    refusal: () => undefined,
    parts: ({ recording }) => perfettoTrace(recording),
  },
  {
    id: 'shiviz',
    extension: 'log',
    type: 'text/plain',
    refusal: ({ world, sends }) => {
      if (!sends) return 'ShiViz: this run was recorded without its messages';
      const live = world.alive.filter((role) => role !== NodeRole.dead).length;
      return live > maxNodesOfLogs ? `ShiViz: expected up to ${maxNodesOfLogs} live nodes, got ${live}` : undefined;
    },
    parts: ({ recording }) => shivizLog(recording),
  },
  {
    id: 'csv',
    extension: 'csv',
    type: 'text/csv',
    refusal: () => undefined,
    parts: (index) => csvParts(nodeLines(index)),
  },
  {
    id: 'parquet',
    extension: 'parquet',
    type: parquetType,
    refusal: () => undefined,
    async *parts(index) {
      const { scenario, result } = index.recording;
      const origin = originOfCommand(command(scenario), result);
      yield await parquetFile(tableOf(nodeLines(index)), origin);
    },
  },
];

const roles = { [NodeRole.dead]: 'dead', [NodeRole.honest]: 'honest', [NodeRole.byzantine]: 'byzantine' } as const;

/**
 * Yields one row per node: its role, place and speed, its start, and the times at which it held half of the threshold
 * and all of it, ms.
 */
export function* nodeLines({ recording: { world }, steps }: RunIndex): Generator<TableLine> {
  yield ['node', 'role', 'region', 'cpu_factor', 'start_ms', 'half_ms', 'threshold_ms'];
  const inMs = (us: number | undefined) => (us === undefined || us < 0 ? null : us / 1000);
  for (let id = 0; id < world.nodes; id++) {
    const role = roles[world.alive[id] as NodeRole];
    const since = (weight: number) => (role === 'honest' ? inMs(heldSinceUs(steps, id, weight)) : null);
    const region = world.regionNames[world.region[id]!]!;
    const factor = rounded(world.cpuFactor[id]!, 4);
    yield [id, role, region, factor, inMs(world.startUs[id]), since(world.threshold / 2), since(world.threshold)];
  }
}

/** Number of parts that are written before the page can do other work. */
const partsAtOnce = 2048;

/** Returns a run in a format. It regularly lets the page do other work. */
export async function exportedFile(format: ExportFormat, index: RunIndex): Promise<Blob> {
  const parts: FilePart[] = [];
  for await (const part of format.parts(index)) {
    parts.push(part);
    if (typeof part !== 'string' || parts.length % partsAtOnce === 0)
      await new Promise((resolve) => setTimeout(resolve));
  }
  return new Blob(parts, { type: format.type });
}
