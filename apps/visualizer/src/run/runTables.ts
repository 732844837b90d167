import { refusalName } from '@tutti/core';
import { NodeRole, type RecordedWorld, type RunResult, type Spread } from '@tutti/simulation';
import { html, render } from 'lit-html';
import type { CompletionView } from '../completion/completionView.ts';
import { capital, count, counted, ms } from '../formatNumber.ts';
import { query } from '../page.ts';
import { heldAt } from '../timeline/heldSteps.ts';
import { type NodeStory, type StoryStep, stepsUntil } from '../timeline/nodeStory.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { Tip, wordTable } from '../views/drawing.ts';
import type { ProgressView } from '../views/progressView.ts';
import type { TimeSpaceView } from '../views/timeSpaceView.ts';
import type { TreeView } from '../views/treeView.ts';
import type { BetweenFigure } from './betweenFigure.ts';

/** Draws the result of a run as a table with one row per quantity. */
export function drawNumbers(host: HTMLElement, result: RunResult): void {
  const rows: [string, Spread, (value: number) => string][] = [
    ['time to threshold, ms', result.timeToThresholdMs, (value) => value.toFixed(1)],
    ['messages sent', result.messagesSent, count],
    ['messages received', result.messagesReceived, count],
    ['kB sent', result.bytesSent, (value) => (value / 1000).toFixed(1)],
    ['contributions checked', result.checked, count],
  ];
  const lines = rows.map(([title, { min, mean, max }, format]) => [title, ...[min, mean, max].map(format)]);
  render(
    html`${wordTable(['per node', 'min', 'mean', 'max'], lines)}<p class="sub">${count(result.reached)} of ${count(result.live)} live nodes reached the threshold. ${count(result.messagesDelivered)} messages were delivered. The run has ${count(result.events)} events.</p>`,
    host,
  );
}

/** Number of events that are listed. */
const shownSteps = 4;

/** Draws the last events of the node as text, the newest first. */
export function drawSteps(host: HTMLElement, story: NodeStory, timeUs: number): void {
  const until = stepsUntil(story, timeUs);
  if (host.dataset.until === `${story.node}/${until}`) return;
  host.dataset.until = `${story.node}/${until}`;
  const steps = Array.from({ length: shownSteps }, (_, back) => story.steps[until - 1 - back]);
  render(
    steps.map((step) => html`<li>${step && html`<time>${ms(step.timeUs)}</time>${stepWords(story, step)}`}</li>`),
    host,
  );
}

function stepWords({ recording }: NodeStory, { what, line }: StoryStep): string {
  const node = count(recording.node[line]!);
  const peer = recording.peer[line] === -1 ? 'several nodes' : `node ${count(recording.peer[line]!)}`;
  // Level 0 means that the event belongs to no level.
  const level = recording.level[line]! > 0 ? `level ${recording.level[line]}` : '';
  const at = level && `, ${level}`;
  const value = recording.value[line]!;
  const weight = count(Math.abs(value));
  switch (what) {
    case 'start':
      return 'starts with its own contribution';
    case 'arrival':
      return `receives from node ${node}${at}, weight ${weight}`;
    case 'check':
      return `checks ${peer}${at}, weight ${weight}${value < 0 ? ': invalid' : ''}`;
    case 'improve':
      return level ? `has weight ${weight} on ${level}` : `has weight ${weight}`;
    case 'output':
      return `outputs a multi-signature of weight ${weight}`;
    case 'refuse':
      return `rejects a message from ${peer}: ${refusalName(value)}`;
    case 'blacklist':
      return `blacklists ${peer}`;
  }
}

/** Describes a node at a given time: its region and its signatures. */
export function nodeWords({ recording: { world }, steps }: RunIndex, node: number, atUs: number): string {
  const where = regionOf(world, node);
  const place = where ? `node ${count(node)}, ${where}` : `node ${count(node)}`;
  const role = world.role[node];
  if (role !== NodeRole.honest) return `${place}: ${role === NodeRole.byzantine ? 'Byzantine' : 'dead'}`;
  return `${place}: holds ${count(heldAt(steps, node, atUs))} at ${ms(atUs)}`;
}

/** Describes the conditions under which a node runs: its machine, or its fault. */
export function worldWords(world: RecordedWorld, id: number): string {
  if (world.role[id] === NodeRole.byzantine) return 'Byzantine: this node carries out the attack';
  if (world.role[id] !== NodeRole.honest) return 'dead from the start';
  const where = regionOf(world, id);
  const factor = world.cpuFactor[id]!;
  const ratio = (factor > 1 ? factor : 1 / factor).toFixed(1);
  const machine =
    ratio === '1.0'
      ? 'a standard machine'
      : `a machine that is ${ratio} times ${factor > 1 ? 'slower' : 'faster'} than the standard machine`;
  return where === undefined ? capital(machine) : `${where}, ${machine}`;
}

/** Returns a node's region, if the network has more than one region. */
function regionOf({ region, regionNames }: RecordedWorld, node: number): string | undefined {
  return regionNames.length > 1 ? regionNames[region[node]!] : undefined;
}

/** Figures that describe the element under the pointer. */
interface TippedFigures {
  readonly tree: TreeView;
  readonly between: BetweenFigure;
  readonly timeSpace: TimeSpaceView;
  readonly completion: CompletionView;
  readonly progress: ProgressView;
  /** Describes a node at a given time; undefined if there is no run. Default: the time of the clock. */
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
    return `${range(bar)}: ${count(bar.inside)} of ${count(bar.to - bar.from)} included`;
  });
  tip.follow(query('#flight'), (x, y) => name(between.nodeUnder(x, y)));
  tip.follow(query('#time-space'), (x, y) => timeSpace.wordsUnder(x, y));
  tip.follow(query('#completion'), (x, y) => name(completion.nodeUnder(x, y)));
  tip.follow(query('#progress'), (x, y) => {
    const row = progress.rowUnder(x, y);
    if (!row) return undefined;
    if (row.to - row.from === 1) return figures.describe(row.from, row.timeUs);
    return `${range(row)}: ${counted(row.held, 'signature')} per node on average at ${ms(row.timeUs)}`;
  });
}

function range({ from, to }: { readonly from: number; readonly to: number }): string {
  return `nodes ${count(from)} to ${count(to - 1)}`;
}
