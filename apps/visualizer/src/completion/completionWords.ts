import type { PublishedRow } from '@tutti/lab';
import type { Recording } from '@tutti/simulation';
import { unlikePublished } from '../growth/growth.ts';
import { count } from '../numberWords.ts';

/** Of the published rows those of the next sizes below and above, or the one of the same size. */
export function publishedBeside(rows: readonly PublishedRow[], nodes: number): readonly PublishedRow[] {
  const same = rows.find((row) => row.nodes === nodes);
  if (same) return [same];
  const below = rows.findLast((row) => row.nodes < nodes);
  const above = rows.find((row) => row.nodes > nodes);
  return [below, above].filter((row) => row !== undefined);
}

/** What the picture says in words. */
export function completionWords(
  { result, scenario }: Pick<Recording, 'result' | 'scenario'>,
  rows: readonly PublishedRow[],
): string {
  const { reached, live, timeToThresholdMs: time } = result;
  if (reached === 0) return 'No node reached the threshold.';
  const all = reached === live ? `All ${count(live)}` : `${count(reached)} of ${count(live)}`;
  const own = `A square is a node, at the time at which it had the threshold. ${all}: ${time.min.toFixed(0)} to ${time.max.toFixed(0)}\u00a0ms, ${time.mean.toFixed(0)}\u00a0ms on average.`;
  if (rows.length === 0) return own;
  const unlike = unlikePublished(scenario);
  // Gossip is not in the paper, but in its tables.
  const source = scenario.protocol === 'gossip' ? ' at a threshold of 51\u00a0%' : ' (section 7)';
  const setting = unlike.length === 0 ? '' : ` The paper’s runs differ: this one has ${unlike.join(', ')}.`;
  return `${own} Below: least, mean and greatest as the paper’s authors measured them${source}.${setting}`;
}
