import { fitLine } from '@tutti/simulation';
import { grouped } from '../numbers.ts';
import growthRuns from './growthRuns.json' with { type: 'json' };
import { htmlTable, type TableChapter } from './html.ts';

type GrowthRun = (typeof growthRuns)[number];

/** Growth laws of v1.03 section 4.1. */
const laws: readonly {
  readonly what: string;
  readonly of: string;
  x(log2: number): number;
  y(run: GrowthRun): number;
}[] = [
  { what: 'time to the threshold, ms', of: 'log₂ N', x: (log2) => log2, y: (run) => run.timeMs },
  { what: 'messages sent per node', of: 'log₂² N', x: (log2) => log2 ** 2, y: (run) => run.messagesSent },
  { what: 'checks per node', of: 'log₂² N', x: (log2) => log2 ** 2, y: (run) => run.checked },
];

/**
 * Returns the report's chapter on Handel's growth to a million nodes: the measurements of `npm run bench -- growth`,
 * compared with the paper's laws.
 */
export function growthChapter(): TableChapter {
  const runs = htmlTable(
    ['nodes', 'time to the threshold, ms', 'messages sent per node', 'checks per node', 'digest', 'code'],
    growthRuns.map(({ nodes, timeMs, messagesSent, checked, digest, version }) => [
      grouped(nodes),
      grouped(timeMs),
      grouped(messagesSent, 1),
      grouped(checked, 1),
      digest,
      version,
    ]),
  );
  const fits = htmlTable(
    ['', 'fit', 'R²'],
    laws.map(({ what, of, x, y }) => {
      const { intercept, slope, r2 } = fitLine(growthRuns.map((run) => [x(Math.log2(run.nodes)), y(run)]));
      return [what, `${grouped(intercept, 1)} + ${grouped(slope, 2)} ${of}`, grouped(r2, 4)];
    }),
  );
  return {
    title: 'Growth to a million nodes',
    opening:
      'The growth law of v1.03 section 4.1, without Byzantine nodes, for sizes that a report does not simulate again: AWS, threshold 99 %, no dead nodes, one run per size. Measured by <code>npm run bench -- growth</code>; the same code gives the same digest on every machine.',
    sections: [
      { id: 'growth-to-a-million', title: 'Time, messages and checks by number of nodes', body: runs },
      { id: 'growth-law', title: 'Least-squares fit of the growth law to all sizes', body: fits },
    ],
  };
}
