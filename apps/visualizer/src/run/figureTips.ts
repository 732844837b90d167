import type { CompletionView } from '../completion/completionView.ts';
import { query } from '../page.ts';
import { Tip } from '../views/drawing.ts';
import type { ProgressView } from '../views/progressView.ts';
import type { TimeSpaceView } from '../views/timeSpaceView.ts';
import type { TreeView } from '../views/treeView.ts';
import { counted, figure, ms } from '../words.ts';
import type { BetweenFigure } from './betweenFigure.ts';

/** Figures that describe the element under the pointer. */
interface TippedFigures {
  readonly tree: TreeView;
  readonly between: BetweenFigure;
  readonly timeSpace: TimeSpaceView;
  readonly completion: CompletionView;
  readonly progress: ProgressView;
  /** Describes a node, now or at a time; undefined without a run. */
  describe(node: number, atUs?: number): string | undefined;
}

/** Makes a tip follow the pointer over each of the figures. */
export function followFigures(figures: TippedFigures): void {
  const { tree, between, timeSpace, completion, progress } = figures;
  const tip = new Tip();
  const name = (node: number | undefined) => (node === undefined ? undefined : figures.describe(node));
  tip.follow(query('#tree'), (x, y) => {
    const node = tree.nodeUnder(x, y);
    const bar = node === undefined ? undefined : tree.barOf(node);
    if (!bar) return name(node);
    if (bar.inside === undefined) return `${range(bar)}: only the number of signers on this level was stored`;
    return `${range(bar)}: ${figure(bar.inside)} of ${figure(bar.to - bar.from)} included`;
  });
  tip.follow(query('#flight'), (x, y) => name(between.nodeUnder(x, y)));
  tip.follow(query('#time-space'), (x, y) => timeSpace.wordsUnder(x, y));
  tip.follow(query('#completion'), (x, y) => name(completion.nodeUnder(x, y)));
  tip.follow(query('#progress'), (x, y) => {
    const row = progress.rowUnder(x, y);
    if (!row) return undefined;
    if (row.to - row.from === 1) return figures.describe(row.from, progress.timeUnder(x));
    return `${range(row)}: ${counted(row.held, 'signature')} per node on average at ${ms(progress.timeUnder(x))}`;
  });
}

function range({ from, to }: { readonly from: number; readonly to: number }): string {
  return `nodes ${figure(from)} to ${figure(to - 1)}`;
}
